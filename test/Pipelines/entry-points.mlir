// pool-mark-entry-points makes inputs of public functions read-only, and gives
// public functions wrappers for C. pool-internalize-functions makes private
// functions internal. Private functions must not be visible to callers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-mark-entry-points | FileCheck %s --check-prefixes=MARK,WRAP
// RUN: pool-opt %s --pool-mark-entry-points=c-wrappers=false | FileCheck %s --check-prefixes=MARK,BARE
// RUN: pool-opt %s --pool-internalize-functions | FileCheck %s --check-prefix=INTERNAL
// RUN: pool-opt %s --pool-mark-out-params | FileCheck %s --check-prefix=OUT

// MARK-LABEL: func.func @public(
// MARK-SAME: %{{[^:]*}}: tensor<4xf32> {bufferization.writable = false}
// MARK-SAME: %{{[^:]*}}: tensor<4xf32> {bufferization.writable = true}
// MARK-SAME: %{{[^:]*}}: index)
// WRAP-SAME: attributes {llvm.emit_c_interface}
// BARE-NOT: llvm.emit_c_interface
func.func @public(%x: tensor<4xf32>,
                  %y: tensor<4xf32> {bufferization.writable = true},
                  %n: index) {
  return
}

// MARK: func.func private @private(%{{.*}}: tensor<4xf32>) {
func.func private @private(%x: tensor<4xf32>) {
  return
}

// MARK: func.func private @declared(tensor<4xf32>){{$}}
func.func private @declared(tensor<4xf32>)

// INTERNAL: llvm.func @exported()
llvm.func @exported() {
  llvm.return
}

// INTERNAL: llvm.func internal @helper()
llvm.func @helper() attributes {sym_visibility = "private"} {
  llvm.return
}

// OUT: llvm.func @out_params(%{{[^:]*}}: i32, %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr {llvm.noalias}, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr {llvm.noalias}, %{{[^:]*}}: i64) {
llvm.func @out_params(%n: i32, %a: !llvm.ptr, %b: !llvm.ptr, %c: i64, %d: i64,
                      %e: i64, %f: !llvm.ptr, %g: !llvm.ptr, %h: i64)
    attributes {pool.out_param_ranks = array<i64: 1, 0>} {
  llvm.return
}

// OUT: llvm.func @declared_out_params(!llvm.ptr, !llvm.ptr {llvm.noalias}, i64)
llvm.func @declared_out_params(!llvm.ptr, !llvm.ptr, i64)
    attributes {pool.out_param_ranks = array<i64: 0>}

// The attribute does not fit the function, so it has no effect.
// OUT: llvm.func @not_so_many(%{{[^:]*}}: !llvm.ptr) {
llvm.func @not_so_many(%a: !llvm.ptr)
    attributes {pool.out_param_ranks = array<i64: 1000>} {
  llvm.return
}

// INTERNAL: llvm.func linkonce_odr @shared()
llvm.func linkonce_odr @shared() attributes {sym_visibility = "private"} {
  llvm.return
}

// INTERNAL: llvm.func @libc() attributes
llvm.func @libc() attributes {sym_visibility = "private"}
