// convert-pool-to-linalg and pool-resolve-windows must change only pooling.
// Functions without pooling operations must stay the same to the byte, and so
// must the other operations of functions with some.

// RUN: sed -n '/^func.func @first/,/^}/p' %s > %t.in
// RUN: pool-opt %t.in > %t.before
// RUN: pool-opt %t.in --convert-pool-to-linalg=runtime-checks > %t.after
// RUN: diff %t.before %t.after
// RUN: pool-opt %t.in --pool-resolve-windows > %t.resolved
// RUN: diff %t.before %t.resolved
// RUN: pool-opt %s --convert-pool-to-linalg=runtime-checks | FileCheck %s

// The pass does not remove dead code or redundant constants, and does not fold.

// CHECK-LABEL: func @first(
// CHECK-NEXT:    %[[A:.+]] = arith.constant 1 : index
// CHECK-NEXT:    %[[B:.+]] = arith.constant 1 : index
// CHECK-NEXT:    arith.addi %[[A]], %[[B]]
// CHECK-NEXT:    %{{.+}} = tensor.cast
// CHECK-NEXT:    %[[POOLED:.+]] = linalg.pooling_ncw_max
// CHECK-NEXT:    return %[[POOLED]]
func.func @first(%x: tensor<1x2x8xf32>, %w: tensor<2xf32>,
                 %init: tensor<1x2x7xf32>) -> tensor<1x2x7xf32> {
  %0 = arith.constant 1 : index
  %1 = arith.constant 1 : index
  %2 = arith.addi %0, %1 : index
  %3 = tensor.cast %x : tensor<1x2x8xf32> to tensor<?x2x?xf32>
  %4 = linalg.pooling_ncw_max
         {dilations = dense<1> : vector<1xi64>,
          strides = dense<1> : vector<1xi64>}
         ins(%x, %w : tensor<1x2x8xf32>, tensor<2xf32>)
         outs(%init : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  return %4 : tensor<1x2x7xf32>
}

// CHECK-LABEL: func @second(
// CHECK-SAME:    %[[X:.+]]: tensor<1x2x8xf32>
// CHECK-NEXT:    %[[A:.+]] = arith.constant 1 : index
// CHECK-NEXT:    %[[B:.+]] = arith.constant 1 : index
// CHECK-NEXT:    arith.addi %[[A]], %[[B]]
// CHECK-NEXT:    tensor.cast %[[X]]
// CHECK:         %[[POOLED:.+]] = linalg.generic
// CHECK:         return %[[POOLED]]
func.func @second(%x: tensor<1x2x8xf32>) -> tensor<1x2x7xf32> {
  %0 = arith.constant 1 : index
  %1 = arith.constant 1 : index
  %2 = arith.addi %0, %1 : index
  %3 = tensor.cast %x : tensor<1x2x8xf32> to tensor<?x2x?xf32>
  %4 = pool.max_pool %x kernel [2] : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
  return %4 : tensor<1x2x7xf32>
}

// Operations in regions of other operations are lowered.

// CHECK-LABEL: func @nested(
// CHECK:         scf.if
// CHECK-NOT:       pool.
// CHECK:           linalg.pooling_ncw_max
// CHECK:           scf.yield
func.func @nested(%x: tensor<1x2x8xi8>, %y: tensor<1x2x7xi8>, %b: i1)
    -> tensor<1x2x7xi8> {
  %0 = scf.if %b -> tensor<1x2x7xi8> {
    %1 = pool.max_pool %x kernel [2] : tensor<1x2x8xi8> -> tensor<1x2x7xi8>
    scf.yield %1 : tensor<1x2x7xi8>
  } else {
    scf.yield %y : tensor<1x2x7xi8>
  }
  return %0 : tensor<1x2x7xi8>
}
