// The pipeline pool-to-llvm. All operations must become operations of the llvm
// dialect, with the calling convention that Pipelines.h describes. LLVM's
// translation must accept the result. Wrong options must be errors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// RUN: pool-opt %s --pool-to-llvm | FileCheck %s --implicit-check-not=memrefCopy
// RUN: pool-opt %s --pool-to-llvm="path=linalg runtime-checks=true c-wrappers=false" | FileCheck %s --check-prefix=CHECKED
// RUN: pool-opt %s --pool-to-llvm="path=linalg buffer-alignment=0" | FileCheck %s --check-prefix=MALLOC --implicit-check-not=@aligned_alloc
// RUN: pool-opt %s --pool-to-llvm=path=linalg | FileCheck %s --check-prefix=LINALG
// RUN: pool-opt %s --pool-to-llvm --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=LOC
// RUN: pool-opt %s --pass-pipeline="builtin.module(pool-to-llvm{path=linalg})" | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=IR
// RUN: not pool-opt %s --pool-to-llvm=path=fastest 2>&1 | FileCheck %s --check-prefix=PATH
// RUN: not pool-opt %s --pool-to-llvm=fast 2>&1 | FileCheck %s --check-prefix=OPTION

// RUN: not pool-opt %s --pool-to-llvm=vectorbits=256 2>&1 | FileCheck %s --check-prefix=NEAR
// RUN: not pool-opt %s --pool-to-llvm="vector-bits=256 threads=openmp" 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not pool-opt %s --pass-pipeline="builtin.module(pool-to-llvm{path=vectors})" 2>&1 | FileCheck %s --check-prefix=PIPELINE

// Values may be quoted or in braces, and options on lines of their own.
// RUN: pool-opt %s --pool-to-llvm='path="linalg"' | FileCheck %s --check-prefix=LINALG
// RUN: pool-opt %s --pool-to-llvm='path={linalg}' | FileCheck %s --check-prefix=LINALG
// RUN: %python -c "import subprocess; subprocess.run([*'pool-opt'.split(), r'%s', '--pass-pipeline=builtin.module(pool-to-llvm{path=linalg\n  threads=none\n})'], check=True)" | FileCheck %s --check-prefix=LINALG
// RUN: pool-opt %s --pool-to-llvm='path=linalg target=x86_64 mattr="+avx2, +fma"' | FileCheck %s --check-prefix=LINALG
// RUN: not pool-opt %s --pool-to-llvm=path 2>&1 | FileCheck %s --check-prefix=NO-VALUE
// NO-VALUE: unknown value '' of the option 'path'; the values are vector, linalg, affine

// PATH: unknown value 'fastest' of the option 'path'; the values are vector, linalg, affine
// OPTION: unknown option 'fast'; the options are assert-handler, bf16-as-bits, buffer-alignment, c-wrappers,
// NEAR: unknown option 'vectorbits'; did you mean 'vector-bits'?
// THREADS: unknown value 'openmp' of the option 'threads'; the values are none, omp
// PIPELINE: unknown value 'vectors' of the option 'path'; did you mean 'vector'?

// Static shapes: the function gets two descriptors, returns nothing, and
// allocates nothing.
// CHECK-LABEL: llvm.func @static(
// CHECK-SAME: %{{[^,]*}}: !llvm.ptr
// CHECK-NOT: ->
// CHECK-SAME: {
// CHECK-NOT: alloc
// CHECK-LABEL: llvm.func @_mlir_ciface_static(%{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr)
// IR-LABEL: define void @static(ptr %0, ptr %1, i64 %2,
// IR-LABEL: define void @_mlir_ciface_static(ptr %0, ptr %1)
// CHECKED-NOT: _mlir_ciface_
// LOC-LABEL: llvm.func @static(
// LOC: llvm.fcmp "ogt" {{.*}} loc("the pooling")
func.func @static(%x: tensor<1x2x8x8xf32>) -> tensor<1x2x4x4xf32> {
  %y = pool.max_pool %x kernel [2, 2] strides [2, 2]
      : tensor<1x2x8x8xf32> -> tensor<1x2x4x4xf32> loc("the pooling")
  return %y : tensor<1x2x4x4xf32>
}

// The vector path needs no padded copy of the input. The linalg path frees the
// copy before the function returns.
// CHECK-LABEL: llvm.func @padded(
// CHECK-NOT: alloc
// CHECK: llvm.return
// MALLOC-LABEL: llvm.func @padded(
// MALLOC: llvm.call @malloc
// LINALG-LABEL: llvm.func @padded(
// LINALG: llvm.call @aligned_alloc
// LINALG: llvm.call @free
// LINALG: llvm.return
func.func @padded(%x: tensor<1x2x8x8xui8>) -> tensor<1x2x8x8xui8> {
  %y = pool.max_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<1x2x8x8xui8> -> tensor<1x2x8x8xui8>
  return %y : tensor<1x2x8x8xui8>
}

// Dynamic shapes: checks come first, and the function returns its result.
// CHECK-LABEL: llvm.func @dynamic(
// CHECK-SAME: -> !llvm.struct<(ptr, ptr, i64, array<4 x i64>, array<4 x i64>)>
// CHECK: llvm.call @aligned_alloc
// CHECKED-LABEL: llvm.func @dynamic(
// CHECKED: llvm.cond_br
// CHECKED: llvm.call @puts
// CHECKED: llvm.call @abort
// IR-LABEL: define { ptr, ptr, i64, [4 x i64], [4 x i64] } @dynamic(
func.func @dynamic(%x: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %y = pool.avg_pool %x kernel [2, 2] strides [2, 2]
      : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  return %y : tensor<?x?x?x?xf32>
}

// The function must not change its input, so it copies the input.
// CHECK-LABEL: llvm.func @insert(
// CHECK-SAME: %{{[^,]*}}: !llvm.ptr, %[[X:[^:]*]]: !llvm.ptr,
// CHECK-NOT: llvm.store {{.*}}, %[[X]]
// CHECK: "llvm.intr.memcpy"
func.func @insert(%x: tensor<4xf32>, %v: f32, %i: index) -> tensor<4xf32> {
  %y = tensor.insert %v into %x[%i] : tensor<4xf32>
  return %y : tensor<4xf32>
}

// bf16 is rounded by integer operations, which every target has.
// IR-LABEL: define void @bf16(
// IR-NOT: fptrunc
// IR: lshr i32
// IR-NOT: fptrunc
// IR: ret void
func.func @bf16(%x: tensor<1x2x8x8xbf16>) -> tensor<1x2x4x4xbf16> {
  %y = pool.avg_pool %x kernel [2, 2] strides [2, 2]
      : tensor<1x2x8x8xbf16> -> tensor<1x2x4x4xbf16>
  return %y : tensor<1x2x4x4xbf16>
}
