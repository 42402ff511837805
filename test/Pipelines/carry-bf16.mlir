// pool-carry-bf16 passes values of bf16 through blocks and calls as integers,
// because LLVM's conversions would change subnormal numbers. Structs that
// functions return are included. Operations on bf16, and callers from outside,
// must still get bf16.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-carry-bf16 | FileCheck %s --check-prefixes=CHECK,PUBLIC
// RUN: pool-opt %s --pool-carry-bf16=as-bits | FileCheck %s --check-prefixes=CHECK,BITS
// RUN: pool-opt %s --pool-carry-bf16=as-bits | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=IR

// CHECK-LABEL: llvm.func @blocks(
// CHECK:         %[[A:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i16
// CHECK:         %[[ONE:.*]] = llvm.mlir.constant(16256 : i16) : i16
// CHECK:         %[[S:.*]] = llvm.select %{{.*}}, %[[A]], %[[ONE]] : i1, i16
// CHECK:         llvm.cond_br %{{.*}}, ^[[END:.*]](%[[A]] : i16), ^[[END]](%[[S]] : i16)
// CHECK:       ^[[END]](%[[R:.*]]: i16):
// CHECK-NEXT:    %[[WIDE:.*]] = llvm.zext %[[R]] : i16 to i32
// CHECK:         llvm.store %[[R]], %{{.*}} : i16, !llvm.ptr
// IR-LABEL: define i32 @blocks(
// IR:         phi i16
llvm.func @blocks(%p: !llvm.ptr, %c: i1) -> i32 {
  %a = llvm.load %p : !llvm.ptr -> bf16
  %one = llvm.mlir.constant(1.0 : bf16) : bf16
  %s = llvm.select %c, %a, %one {fastmathFlags = #llvm.fastmath<nnan>} : i1, bf16
  llvm.cond_br %c, ^end(%a : bf16), ^end(%s : bf16)
^end(%r: bf16):
  %bits = llvm.bitcast %r : bf16 to i16
  %wide = llvm.zext %bits : i16 to i32
  llvm.store %r, %p : bf16, !llvm.ptr
  llvm.return %wide : i32
}

// CHECK-LABEL: llvm.func @vectors(
// CHECK:         llvm.intr.masked.load {{.*}} -> vector<4xi16>
// CHECK:         llvm.mlir.constant(dense<16384> : vector<4xi16>) : vector<4xi16>
// CHECK:         llvm.shufflevector %{{.*}}, %{{.*}} [0, 4] : vector<4xi16>
// CHECK:         %[[E:.*]] = llvm.extractelement %{{.*}} : vector<2xi16>
// CHECK:         %[[F:.*]] = llvm.bitcast %[[E]] : i16 to bf16
// CHECK:         llvm.fpext %[[F]] : bf16 to f32
llvm.func @vectors(%p: !llvm.ptr, %m: vector<4xi1>, %i: i32) -> f32 {
  %none = llvm.mlir.poison : vector<4xbf16>
  %a = llvm.intr.masked.load %p, %m, %none {alignment = 2 : i32}
      : (!llvm.ptr, vector<4xi1>, vector<4xbf16>) -> vector<4xbf16>
  %twos = llvm.mlir.constant(dense<2.0> : vector<4xbf16>) : vector<4xbf16>
  %s = llvm.shufflevector %a, %twos [0, 4] : vector<4xbf16>
  %e = llvm.extractelement %s[%i : i32] : vector<2xbf16>
  %f = llvm.fpext %e : bf16 to f32
  llvm.return %f : f32
}

// CHECK: llvm.func @outside(bf16) -> bf16
llvm.func @outside(bf16) -> bf16

// CHECK-LABEL: llvm.func internal @inside(
// CHECK-SAME:    i16) -> i16
llvm.func internal @inside(%x: bf16) -> bf16 attributes {sym_visibility = "private"} {
  llvm.return %x : bf16
}

// PUBLIC-LABEL: llvm.func @public(%{{.*}}: bf16) -> bf16
// BITS-LABEL: llvm.func @public(%{{.*}}: i16) -> i16
// PUBLIC:       %[[X:.*]] = llvm.bitcast %{{.*}} : bf16 to i16
// CHECK:        %[[Y:.*]] = llvm.call @inside(%{{.*}}) : (i16) -> i16
// CHECK:        %[[Z:.*]] = llvm.bitcast %[[Y]] : i16 to bf16
// CHECK:        %[[R:.*]] = llvm.call @outside(%[[Z]]) : (bf16) -> bf16
// PUBLIC:       llvm.return %[[R]] : bf16
// BITS:         %[[B:.*]] = llvm.bitcast %[[R]] : bf16 to i16
// BITS:         llvm.return %[[B]] : i16
llvm.func @public(%x: bf16) -> bf16 {
  %y = llvm.call @inside(%x) : (bf16) -> bf16
  %r = llvm.call @outside(%y) : (bf16) -> bf16
  llvm.return %r : bf16
}

// PUBLIC-LABEL: llvm.func @several(%{{.*}}: !llvm.ptr) -> !llvm.struct<(bf16, i32)>
// BITS-LABEL: llvm.func @several(%{{.*}}: !llvm.ptr) -> !llvm.struct<(i16, i32)>
// PUBLIC:       llvm.insertvalue %{{.*}}, %{{.*}}[0] : !llvm.struct<(bf16, i32)>
// BITS:         llvm.insertvalue %{{.*}}, %{{.*}}[0] : !llvm.struct<(i16, i32)>
// IR:         define { i16, i32 } @several(
llvm.func @several(%p: !llvm.ptr) -> !llvm.struct<(bf16, i32)> {
  %a = llvm.load %p : !llvm.ptr -> bf16
  %none = llvm.mlir.poison : !llvm.struct<(bf16, i32)>
  %s = llvm.insertvalue %a, %none[0] : !llvm.struct<(bf16, i32)>
  llvm.return %s : !llvm.struct<(bf16, i32)>
}

// CHECK-LABEL: llvm.func @caller(
// PUBLIC:        llvm.extractvalue %{{.*}}[0] : !llvm.struct<(bf16, i32)>
// BITS:          llvm.extractvalue %{{.*}}[0] : !llvm.struct<(i16, i32)>
// CHECK:         llvm.store %{{.*}}, %{{.*}} : i16, !llvm.ptr
llvm.func @caller(%p: !llvm.ptr) {
  %s = llvm.call @several(%p) : (!llvm.ptr) -> !llvm.struct<(bf16, i32)>
  %a = llvm.extractvalue %s[0] : !llvm.struct<(bf16, i32)>
  llvm.store %a, %p : bf16, !llvm.ptr
  llvm.return
}

// A struct with bf16 in an array is not changed at all.
// PUBLIC-LABEL: llvm.func @array(%{{.*}}: !llvm.ptr) -> !llvm.struct<(bf16, array<2 x bf16>)>
// BITS-LABEL: llvm.func @array(%{{.*}}: !llvm.ptr) -> !llvm.struct<(bf16, array<2 x bf16>)>
// CHECK:        %[[A:.*]] = llvm.bitcast %{{.*}} : i16 to bf16
// CHECK:        llvm.insertvalue %[[A]], %{{.*}}[0] : !llvm.struct<(bf16, array<2 x bf16>)>
llvm.func @array(%p: !llvm.ptr) -> !llvm.struct<(bf16, array<2 x bf16>)> {
  %a = llvm.load %p : !llvm.ptr -> bf16
  %none = llvm.mlir.poison : !llvm.struct<(bf16, array<2 x bf16>)>
  %s = llvm.insertvalue %a, %none[0] : !llvm.struct<(bf16, array<2 x bf16>)>
  llvm.return %s : !llvm.struct<(bf16, array<2 x bf16>)>
}

// A named struct may contain a reference to itself, which must not make the
// conversion endless.
// CHECK-LABEL: llvm.func @named(
// CHECK-SAME:    !llvm.struct<(bf16, struct<"b", (i32, struct<"b">)>)>
llvm.func @named(%s: !llvm.struct<(bf16, struct<"b", (i32, struct<"b">)>)>) {
  llvm.return
}
