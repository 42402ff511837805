// Upstream's interfaces of min_pool: integer ranges, shapes of results, code
// motion out of loops, and run-time checks. Where max_pool has the smallest
// number of a type, min_pool must have the largest.

// RUN: pool-opt %s --split-input-file --int-range-optimizations | FileCheck %s --check-prefix=RANGES
// RUN: pool-opt %s --split-input-file --resolve-shaped-type-result-dims --cse | FileCheck %s --check-prefix=REIFY
// RUN: pool-opt %s --split-input-file --loop-invariant-code-motion | FileCheck %s --check-prefix=MOTION
// RUN: pool-opt %s --split-input-file --generate-runtime-verification | FileCheck %s --check-prefix=CHECKS

// Indices are below the number of positions. Values lie in the range of the
// input; for a window of only padding, the value is the largest one of the
// type.

// RANGES-LABEL: func.func @ranges(
// RANGES-DAG:     %[[TRUE:.+]] = arith.constant dense<true>
// RANGES-DAG:     %[[BELOW:.+]] = arith.cmpi sle
// RANGES:         return %[[TRUE]], %[[TRUE]], %[[BELOW]]
func.func @ranges(%i: tensor<1x3x8xi8>)
    -> (tensor<1x3x7xi1>, tensor<1x3x7xi1>, tensor<1x3x5xi1>) {
  %low = arith.constant dense<3> : tensor<1x3x8xi8>
  %x = arith.andi %i, %low : tensor<1x3x8xi8>
  %0, %1 = pool.min_pool %x kernel [2] axis 2
         : tensor<1x3x8xi8> -> tensor<1x3x7xi8>, tensor<1x3x7xi32>
  %bound = arith.constant dense<8> : tensor<1x3x7xi32>
  %2 = arith.cmpi slt, %1, %bound : tensor<1x3x7xi32>
  %most = arith.constant dense<3> : tensor<1x3x7xi8>
  %3 = arith.cmpi sle, %0, %most : tensor<1x3x7xi8>
  // The last window has only padding.
  %4 = pool.min_pool %x kernel [1] strides [3] pads_end [5]
     : tensor<1x3x8xi8> -> tensor<1x3x5xi8>
  %most5 = arith.constant dense<3> : tensor<1x3x5xi8>
  %5 = arith.cmpi sle, %4, %most5 : tensor<1x3x5xi8>
  return %2, %3, %5 : tensor<1x3x7xi1>, tensor<1x3x7xi1>, tensor<1x3x5xi1>
}

// -----

// REIFY-DAG:   #[[$HALF:.+]] = affine_map<()[s0] -> (s0 floordiv 2)>
// REIFY-LABEL: func.func @reify(
// REIFY-SAME:    %[[X:.+]]: tensor<?x3x?xf32>
// REIFY-DAG:     %[[C2:.+]] = arith.constant 2 : index
// REIFY-DAG:     %[[W:.+]] = tensor.dim %[[X]], %[[C2]]
// REIFY-DAG:     %[[OUT:.+]] = affine.apply #[[$HALF]]()[%[[W]]]
// REIFY:         return %[[OUT]]
func.func @reify(%x: tensor<?x3x?xf32>) -> index {
  %c2 = arith.constant 2 : index
  %0 = pool.min_pool %x kernel [2] strides [2]
     : tensor<?x3x?xf32> -> tensor<?x3x?xf32>
  %1 = tensor.dim %0, %c2 : tensor<?x3x?xf32>
  return %1 : index
}

// -----

// MOTION-LABEL: func.func @speculation(
// MOTION:         pool.min_pool %{{.+}} : tensor<1x2x8xf32>
// MOTION:         scf.for
// MOTION:           pool.min_pool %{{.+}} : tensor<1x2x?xf32>
func.func private @use(tensor<1x2x7xf32>, tensor<1x2x?xf32>)
func.func @speculation(%x: tensor<1x2x8xf32>, %d: tensor<1x2x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = pool.min_pool %x kernel [2] : tensor<1x2x8xf32> -> tensor<1x2x7xf32>
    %1 = pool.min_pool %d kernel [2] : tensor<1x2x?xf32> -> tensor<1x2x?xf32>
    func.call @use(%0, %1) : (tensor<1x2x7xf32>, tensor<1x2x?xf32>) -> ()
  }
  return
}

// -----

// CHECKS-LABEL: func.func @run_time(
// CHECKS:         cf.assert %{{.+}}, "{{.*}}pool.min_pool{{.*}}dimension 2: the input extent must be at least 3: the window covers 3 = (3 - 1) * 1 + 1 elements, the pads are 0 and 0
// CHECKS:         cf.assert %{{.+}}, "{{.*}}indices of type i32 cannot name more than 2147483648 positions of the dimensions from axis 1 on
// CHECKS:         pool.min_pool
func.func @run_time(%x: tensor<1x2x?xf32>)
    -> (tensor<1x2x?xf32>, tensor<1x2x?xi32>) {
  %0, %1 = pool.min_pool %x kernel [3] axis 1
     : tensor<1x2x?xf32> -> tensor<1x2x?xf32>, tensor<1x2x?xi32>
  return %0, %1 : tensor<1x2x?xf32>, tensor<1x2x?xi32>
}
