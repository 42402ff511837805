// The operation min_pool_grad: it must print and parse, canonicalise, and
// implement upstream's interfaces (shapes, code motion, run-time checks) like
// max_pool_grad.

// RUN: pool-opt %s --split-input-file | pool-opt --split-input-file | FileCheck %s
// RUN: pool-opt %s --split-input-file --canonicalize | FileCheck %s --check-prefix=CANON
// RUN: pool-opt %s --split-input-file --resolve-shaped-type-result-dims --cse | FileCheck %s --check-prefix=REIFY
// RUN: pool-opt %s --split-input-file --loop-invariant-code-motion | FileCheck %s --check-prefix=MOTION
// RUN: pool-opt %s --split-input-file --generate-runtime-verification | FileCheck %s --check-prefix=CHECKS

// CHECK-LABEL: func @forms(
// CHECK:         pool.min_pool_grad %{{.+}}, %{{.+}} kernel [3, 3] strides [2, 2] pads_begin [1, 1] nan_mode propagate : tensor<1x8x8x8xf32>, tensor<1x8x4x4xf32> -> tensor<1x8x8x8xf32>
// CHECK:         pool.min_pool_grad %{{.+}}, %{{.+}}, %{{.+}} kernel [2, 2] layout channels_last axis 1 : tensor<?x?x?x3xf16>, tensor<?x?x?x3xf16>, tensor<?x?x?x3xi32> -> tensor<?x?x?x3xf16>
func.func @forms(%x: tensor<1x8x8x8xf32>, %g: tensor<1x8x4x4xf32>,
                 %y: tensor<?x?x?x3xf16>, %h: tensor<?x?x?x3xf16>,
                 %i: tensor<?x?x?x3xi32>)
    -> (tensor<1x8x8x8xf32>, tensor<?x?x?x3xf16>) {
  %0 = pool.min_pool_grad %x, %g kernel [3, 3] strides [2, 2]
         pads_begin [1, 1] nan_mode propagate
     : tensor<1x8x8x8xf32>, tensor<1x8x4x4xf32> -> tensor<1x8x8x8xf32>
  %1 = pool.min_pool_grad %y, %h, %i kernel [2, 2] layout channels_last axis 1
     : tensor<?x?x?x3xf16>, tensor<?x?x?x3xf16>, tensor<?x?x?x3xi32>
     -> tensor<?x?x?x3xf16>
  return %0, %1 : tensor<1x8x8x8xf32>, tensor<?x?x?x3xf16>
}

// -----

// CANON-LABEL: func @canonical(
// CANON-SAME:    %[[X:.+]]: tensor<1x2x6xf32>, %[[G:.+]]: tensor<1x2x5xf32>, %[[H:.+]]: tensor<1x2x6xf32>, %[[I:.+]]: tensor<1x2x5xi64>
// CANON:         %[[A:.+]] = pool.min_pool_grad %[[X]], %[[G]] kernel [2] : tensor<1x2x6xf32>, tensor<1x2x5xf32> -> tensor<1x2x6xf32>
// CANON:         %[[B:.+]] = pool.min_pool_grad %[[X]], %[[G]], %[[I]] kernel [2] axis 2 :
// CANON:         return %[[A]], %[[B]], %[[H]]
func.func @canonical(%x: tensor<1x2x6xf32>, %g: tensor<1x2x5xf32>,
                     %h: tensor<1x2x6xf32>, %i: tensor<1x2x5xi64>)
    -> (tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<1x2x6xf32>) {
  %cast = tensor.cast %x : tensor<1x2x6xf32> to tensor<?x2x?xf32>
  %0 = pool.min_pool_grad %cast, %g kernel [2] strides [1] axis 1
     : tensor<?x2x?xf32>, tensor<1x2x5xf32> -> tensor<?x2x?xf32>
  %1 = tensor.cast %0 : tensor<?x2x?xf32> to tensor<1x2x6xf32>
  // Indices name the chosen elements, so the NaN mode has no effect.
  %2 = pool.min_pool_grad %x, %g, %i kernel [2] axis -1 nan_mode propagate
     : tensor<1x2x6xf32>, tensor<1x2x5xf32>, tensor<1x2x5xi64>
     -> tensor<1x2x6xf32>
  // Each window has one element, so the gradient is that of the result.
  %3 = pool.min_pool_grad %x, %h kernel [1]
     : tensor<1x2x6xf32>, tensor<1x2x6xf32> -> tensor<1x2x6xf32>
  return %1, %2, %3 : tensor<1x2x6xf32>, tensor<1x2x6xf32>, tensor<1x2x6xf32>
}

// -----

// REIFY-LABEL: func.func @reify(
// REIFY-SAME:    %[[X:.+]]: tensor<?x3x?xf32>,
// REIFY:         %[[W:.+]] = tensor.dim %[[X]], %{{.+}}
// REIFY:         return %[[W]]
func.func @reify(%x: tensor<?x3x?xf32>, %g: tensor<?x3x?xf32>) -> index {
  %c2 = arith.constant 2 : index
  %0 = pool.min_pool_grad %x, %g kernel [2] strides [2]
     : tensor<?x3x?xf32>, tensor<?x3x?xf32> -> tensor<?x3x?xf32>
  %1 = tensor.dim %0, %c2 : tensor<?x3x?xf32>
  return %1 : index
}

// -----

// MOTION-LABEL: func.func @speculation(
// MOTION:         pool.min_pool_grad
// MOTION:         scf.for
func.func private @use(tensor<1x2x8xf32>)
func.func @speculation(%x: tensor<1x2x8xf32>, %g: tensor<1x2x7xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = pool.min_pool_grad %x, %g kernel [2]
       : tensor<1x2x8xf32>, tensor<1x2x7xf32> -> tensor<1x2x8xf32>
    func.call @use(%0) : (tensor<1x2x8xf32>) -> ()
  }
  return
}

// -----

// CHECKS-LABEL: func.func @run_time(
// CHECKS:         cf.assert %{{.+}}, "{{.*}}pool.min_pool_grad{{.*}}an index is negative or not below the number of positions of the input's dimensions from axis 1 on
// CHECKS:         pool.min_pool_grad
func.func @run_time(%x: tensor<1x2x8xf32>, %g: tensor<1x2x6xf32>,
                    %i: tensor<1x2x6xi32>) -> tensor<1x2x8xf32> {
  %0 = pool.min_pool_grad %x, %g, %i kernel [3] axis 1
     : tensor<1x2x8xf32>, tensor<1x2x6xf32>, tensor<1x2x6xi32>
     -> tensor<1x2x8xf32>
  return %0 : tensor<1x2x8xf32>
}
