// pool-to-llvm with path=affine. Operations that have a form as window_reduce
// must become affine loops on buffers, without a padded copy. Other operations
// go through linalg.

// RUN: pool-opt %s --pool-to-llvm=path=affine --mlir-print-ir-after=convert-pool-to-affine \
// RUN:   -o /dev/null 2>&1 | FileCheck %s
// RUN: pool-opt %s --pool-to-llvm=path=affine --remarks-filter='convert-pool-to-(affine|linalg)' \
// RUN:   -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=LLVM < %t
// RUN: pool-opt %s --pool-to-llvm='path=affine threads=omp' | FileCheck %s --check-prefix=OMP

// REMARK-DAG: Remark="pool.window_reduce left alone"
// REMARK-DAG: Remark="pool.adaptive_max_pool lowered to linalg.generic"
// REMARK-DAG: Remark="pool.max_unpool lowered to loops"
// REMARK-NOT: Remark=

// LLVM-LABEL: llvm.func @padded(
// LLVM-NOT:     alloc
// LLVM:         llvm.return

// OMP-LABEL: llvm.func @padded(
// OMP:         omp.loop_nest (%{{.+}}, %{{.+}}) : i64 {{.+}} collapse(2)

// CHECK:         func.func @padded(%{{.+}}: memref
// CHECK-NOT:     memref.alloc
// CHECK-COUNT-3: affine.for
// CHECK-NOT:     pool.
// CHECK:         return
func.func @padded(%x: tensor<4x16x64x64xf32>) -> tensor<4x16x64x64xf32> {
  %y = pool.max_pool %x kernel [3, 3] pads_begin [1, 1] pads_end [1, 1]
      : tensor<4x16x64x64xf32> -> tensor<4x16x64x64xf32>
  return %y : tensor<4x16x64x64xf32>
}

func.func @no_window_form(%x: tensor<1x2x8x8xf32>)
    -> (tensor<1x2x3x3xf32>, tensor<1x2x8x8xf32>) {
  %y = pool.adaptive_max_pool %x output_size [3, 3]
      : tensor<1x2x8x8xf32> -> tensor<1x2x3x3xf32>
  %v, %i = pool.max_pool %x kernel [2, 2] strides [2, 2]
      : tensor<1x2x8x8xf32> -> tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64>
  %u = pool.max_unpool %v, %i
      : tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64> -> tensor<1x2x8x8xf32>
  return %y, %u : tensor<1x2x3x3xf32>, tensor<1x2x8x8xf32>
}

// An operation on buffers in a loop. One of its pads is not an affine symbol,
// so convert-pool-to-loops lowers it.

// LLVM-LABEL: llvm.func @buffers(
// LLVM-NOT:     pool.
func.func @buffers(%x: memref<1x3x8xf32>, %y: memref<1x3x8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  pool.window_reduce <sum> ins(%x : memref<1x3x8xf32>)
    outs(%y : memref<1x3x8xf32>) kernel [3] strides [1] dilations [1]
    pads_begin [1] pads_end [1]
  scf.for %i = %c0 to %n step %c1 {
    %pad = arith.subi %n, %i : index
    pool.window_reduce <sum> ins(%x : memref<1x3x8xf32>)
      outs(%y : memref<1x3x8xf32>) kernel [3] strides [1] dilations [1]
      pads_begin [1] pads_end [%pad]
  }
  return
}

// The extents are known once `%s` is a buffer. Then it is also known that no
// window lies at the left border, and the loop over these windows is never
// reached.
// LLVM-LABEL: llvm.func @unreached(
func.func @unreached(%x: tensor<1x2x5x7xf32>, %c: i1) -> tensor<1x?x?x?xf32> {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %s = tensor.extract_slice %x[0, 0, 1, 0] [1, %c2, %c4, %c7] [1, 1, 1, 1]
      : tensor<1x2x5x7xf32> to tensor<1x?x?x?xf32>
  %d = tensor.concat dim(1) %s, %s
      : (tensor<1x?x?x?xf32>, tensor<1x?x?x?xf32>) -> tensor<1x?x?x?xf32>
  %r = scf.if %c -> tensor<1x?x?x?xf32> {
    %y = pool.max_pool %d kernel [1, 3] pads_begin [0, 1] pads_end [0, 1]
        : tensor<1x?x?x?xf32> -> tensor<1x?x?x?xf32>
    scf.yield %y : tensor<1x?x?x?xf32>
  } else {
    scf.yield %d : tensor<1x?x?x?xf32>
  }
  return %r : tensor<1x?x?x?xf32>
}
