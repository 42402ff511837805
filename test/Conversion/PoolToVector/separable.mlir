// The strategy "separable" of convert-pool-to-vector: the gradient of a maximum
// without indices. Each row chooses among the taps of the row, and each window
// chooses among its rows. Then the gradient goes the same way back, to the
// element that was chosen.

// RUN: pool-opt %s --convert-pool-to-vector="vector-bits=128" --canonicalize --cse --split-input-file | FileCheck %s

// For windows of 3 x 3, each row makes two comparisons, and each window makes
// two comparisons among its rows. A buffer keeps the choices of eight rows.

// CHECK-LABEL: func.func @overlapping(
// CHECK-SAME:    %[[X:.+]]: tensor<2x3x9x9xf32>, %[[G:.+]]: tensor<2x3x4x4xf32>)
// CHECK-DAG:     %[[NONE:.+]] = arith.constant dense<-1> : vector<4xi32>
// CHECK-DAG:     %[[LEAST:.+]] = arith.constant dense<0xFF800000> : vector<4xf32>
// CHECK:         pool.on_buffers ins(%[[G]], %[[X]] :
// CHECK-NEXT:    ^bb0(%[[SOURCE:.+]]: memref<2x3x4x4xf32>, %[[INPUT:.+]]: memref<2x3x9x9xf32>, %[[TARGET:.+]]: memref<2x3x9x9xf32>):
// CHECK:         scf.parallel (%[[N:.+]]) =
// CHECK-DAG:       %[[TAPS:.+]] = memref.view %{{.+}} to memref<8x12xi32>
// CHECK:           vector.store %[[NONE]], %[[TAPS]]
// CHECK:           scf.for %[[C:.+]] =
// CHECK:             scf.for %[[O:[a-z0-9]+]] = {{.*}} -> (vector<4xi1>)
//                      Along a row: one load serves the taps of a stride, and
//                      is split by stride. NaN is never chosen.
// CHECK:               %[[LOW:.+]] = vector.load %[[INPUT]][%[[N]], %[[C]],
// CHECK-NEXT:          %[[HIGH:.+]] = vector.load %[[INPUT]][%[[N]], %[[C]],
// CHECK-NEXT:          %[[FIRST:.+]] = vector.shuffle %[[LOW]], %[[HIGH]] [0, 2, 4, 6]
// CHECK-NEXT:          %[[NUMBER:.+]] = arith.cmpf ogt, %[[FIRST]], %[[LEAST]]
// CHECK-NEXT:          arith.select %[[NUMBER]],
// CHECK:               %[[SECOND:.+]] = vector.shuffle %[[LOW]], %[[HIGH]] [1, 3, 5, 7]
// CHECK-NEXT:          arith.cmpf ogt, %[[SECOND]],
// CHECK:               arith.cmpf ogt
// CHECK:               vector.store %{{.+}}, %[[TAPS]]
//                      Among rows
// CHECK-COUNT-2:       arith.cmpf ogt
// CHECK:               %[[GRADIENT:.+]] = vector.load %[[SOURCE]][%[[N]], %[[C]], %[[O]],
// CHECK-COUNT-2:       arith.addf
//                      Windows of only NaN or -inf have separate code.
// CHECK:               arith.cmpf oeq, %{{.+}}, %{{.+}} : vector<4xf32>
//                      Back along a row: strides are interleaved.
// CHECK:               vector.load %[[TAPS]]
// CHECK:               vector.shuffle %{{.+}}, %{{.+}} [0, 4, 1, 5]
// CHECK:               vector.store %{{.+}}, %[[TARGET]][%[[N]], %[[C]],
// CHECK:             vector.reduction <or>
// CHECK-NEXT:        scf.if
func.func @overlapping(%x: tensor<2x3x9x9xf32>, %g: tensor<2x3x4x4xf32>)
    -> tensor<2x3x9x9xf32> {
  %0 = pool.max_pool_grad %x, %g kernel [3, 3] strides [2, 2]
     {pool.plan = #pool.plan<"separable">}
    : tensor<2x3x9x9xf32>, tensor<2x3x4x4xf32> -> tensor<2x3x9x9xf32>
  return %0 : tensor<2x3x9x9xf32>
}

// -----

// If NaN can be chosen, windows of only NaN or -inf need no separate code.

// CHECK-LABEL: func.func @propagates(
// CHECK:         arith.cmpf
// CHECK-NOT:     vector.reduction
func.func @propagates(%x: tensor<2x3x9x9xf32>, %g: tensor<2x3x4x4xf32>)
    -> tensor<2x3x9x9xf32> {
  %0 = pool.max_pool_grad %x, %g kernel [3, 3] strides [2, 2] nan_mode propagate
     {pool.plan = #pool.plan<"separable">}
    : tensor<2x3x9x9xf32>, tensor<2x3x4x4xf32> -> tensor<2x3x9x9xf32>
  return %0 : tensor<2x3x9x9xf32>
}

// -----

// Every vector of windows reaches beyond the end of its row, so each vector
// would need separate code. That code is too long here.

// CHECK-LABEL: func.func @reaches_over_the_end(
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @reaches_over_the_end(%x: tensor<1x1x1x20000xf32>, %g: tensor<1x1x1x20000xf32>)
    -> tensor<1x1x1x20000xf32> {
  %0 = pool.max_pool_grad %x, %g kernel [1, 3] dilations [1, 10000] pads_end [0, 20000]
    : tensor<1x1x1x20000xf32>, tensor<1x1x1x20000xf32> -> tensor<1x1x1x20000xf32>
  return %0 : tensor<1x1x1x20000xf32>
}
