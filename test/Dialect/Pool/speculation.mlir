// Hoisting out of a loop. An operation that no run-time check can reject is
// hoisted. An operation that a check may reject must stay: the loop may not run
// at all, and then the program must not fail.

// RUN: pool-opt %s --loop-invariant-code-motion --split-input-file | FileCheck %s
// RUN: %to_minima %s > %t.mlir
// RUN: pool-opt %t.mlir --loop-invariant-code-motion --split-input-file | FileCheck %t.mlir

// CHECK-LABEL: func.func @known(
// CHECK-DAG:     pool.max_pool
// CHECK-DAG:     pool.avg_pool
// CHECK-DAG:     pool.lp_pool
// CHECK-DAG:     pool.adaptive_max_pool
// CHECK-DAG:     pool.adaptive_avg_pool
// CHECK-DAG:     pool.max_pool_grad
// CHECK-DAG:     pool.avg_pool_grad
// CHECK-DAG:     pool.window_reduce
// CHECK:         scf.for
// CHECK-NOT:       pool.
// CHECK:           func.call @use
func.func private @use(tensor<1x2x7xf32>, tensor<1x2x7xi32>, tensor<?x2x7xf32>,
                       tensor<?x2x7xf32>, tensor<1x2x2xf32>, tensor<1x2x2xi32>,
                       tensor<1x2x2xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>,
                       tensor<1x2x7xf32>)
func.func @known(%x: tensor<1x2x8xf32>, %b: tensor<?x2x8xf32>,
                 %g: tensor<1x2x7xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0, %1 = pool.max_pool %x kernel [2]
           : tensor<1x2x8xf32> -> tensor<1x2x7xf32>, tensor<1x2x7xi32>
    // A batch of any size
    %2 = pool.avg_pool %b kernel [4] pads_begin [1] pads_end [1]
       : tensor<?x2x8xf32> -> tensor<?x2x7xf32>
    %3 = pool.lp_pool %b kernel [2] : tensor<?x2x8xf32> -> tensor<?x2x7xf32>
    %4, %5 = pool.adaptive_max_pool %x output_size [2]
           : tensor<1x2x8xf32> -> tensor<1x2x2xf32>, tensor<1x2x2xi32>
    %6 = pool.adaptive_avg_pool %x output_size [2]
       : tensor<1x2x8xf32> -> tensor<1x2x2xf32>
    %7 = pool.max_pool_grad %x, %g kernel [2]
       : tensor<1x2x8xf32>, tensor<1x2x7xf32> -> tensor<1x2x8xf32>
    %8 = pool.avg_pool_grad %g kernel [2]
       : tensor<1x2x7xf32> -> tensor<1x2x8xf32>
    %9 = pool.window_reduce <max> ins(%x : tensor<1x2x8xf32>)
           outs(%g : tensor<1x2x7xf32>) kernel [2] strides [1] dilations [1]
           pads_begin [0] pads_end [0] -> tensor<1x2x7xf32>
    func.call @use(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9)
      : (tensor<1x2x7xf32>, tensor<1x2x7xi32>, tensor<?x2x7xf32>,
         tensor<?x2x7xf32>, tensor<1x2x2xf32>, tensor<1x2x2xi32>,
         tensor<1x2x2xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>,
         tensor<1x2x7xf32>) -> ()
  }
  return
}

// -----

// These operations may be rejected: for an extent below the window, no
// channels, more positions than i32 indices can name, more bytes than memory,
// an index out of bounds, or a gradient with other extents.

// CHECK-LABEL: func.func @refusable(
// CHECK-NOT:     pool.
// CHECK:         scf.for
// CHECK-COUNT-9:   pool.
func.func private @use(tensor<1x2x?xf32>, tensor<1x?x7xf32>, tensor<?x2x7xi32>,
                       tensor<?x1x1xf32>, tensor<1x2x2xf32>, tensor<1x2x8xf32>,
                       tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<*xf32>)
func.func @refusable(%w: tensor<1x2x?xf32>, %c: tensor<1x?x8xf32>,
                     %b: tensor<?x2x8xf32>, %x: tensor<1x2x8xf32>,
                     %i: tensor<1x2x8xi32>, %g: tensor<1x2x?xf32>,
                     %o: tensor<?x1x1xf32>, %u: tensor<*xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    %0 = pool.max_pool %w kernel [2] : tensor<1x2x?xf32> -> tensor<1x2x?xf32>
    %1 = pool.avg_pool %c kernel [2] : tensor<1x?x8xf32> -> tensor<1x?x7xf32>
    %2, %3 = pool.max_pool %b kernel [2]
           : tensor<?x2x8xf32> -> tensor<?x2x7xf32>, tensor<?x2x7xi32>
    %4 = pool.lp_pool %o kernel [1000] pads_end [999]
       : tensor<?x1x1xf32> -> tensor<?x1x1xf32>
    %5 = pool.adaptive_avg_pool %w output_size [2]
       : tensor<1x2x?xf32> -> tensor<1x2x2xf32>
    %6 = pool.max_unpool %x, %i
       : tensor<1x2x8xf32>, tensor<1x2x8xi32> -> tensor<1x2x8xf32>
    %7 = pool.max_pool_grad %x, %g kernel [2]
       : tensor<1x2x8xf32>, tensor<1x2x?xf32> -> tensor<1x2x8xf32>
    %8 = pool.avg_pool_grad %g kernel [2]
       : tensor<1x2x?xf32> -> tensor<1x2x8xf32>
    %9 = pool.avg_pool %u kernel [2] : tensor<*xf32> -> tensor<*xf32>
    func.call @use(%0, %1, %3, %4, %5, %6, %7, %8, %9)
      : (tensor<1x2x?xf32>, tensor<1x?x7xf32>, tensor<?x2x7xi32>,
         tensor<?x1x1xf32>, tensor<1x2x2xf32>, tensor<1x2x8xf32>,
         tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<*xf32>) -> ()
  }
  return
}
