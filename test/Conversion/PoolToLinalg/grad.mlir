// convert-pool-to-linalg on gradients. They become loops that add to the result
// in place, also after bufferisation. Two windows may add to one element, so a
// loop runs in parallel only over dimensions that are independent.

// RUN: pool-opt %s --convert-pool-to-linalg --canonicalize --cse | FileCheck %s
// RUN: pool-opt %s --convert-pool-to-linalg --canonicalize \
// RUN:   --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   --cse --canonicalize | FileCheck %s --check-prefix=BUFFER

// CHECK-DAG: #[[$BEGIN:.+]] = affine_map<()[s0] -> (-s0 + 1, 0)>
// CHECK-DAG: #[[$PLACE:.+]] = affine_map<()[s0, s1] -> (s0 + s1 - 1)>

// The indices are operands. f16 accumulates in f32 and is rounded once.

// CHECK-LABEL: func @max_pool_grad_indices(
// CHECK-SAME:    %[[X:.+]]: tensor<1x3x6x8xf16>, %[[G:.+]]: tensor<1x3x3x4xf16>, %[[I:.+]]: tensor<1x3x3x4xi32>)
// CHECK:         %[[ZEROS:.+]] = linalg.fill {{.+}} -> tensor<1x3x6x8xf32>
// CHECK:         %[[SUMS:.+]] = scf.forall {{.+}} shared_outs(%{{.+}} = %[[ZEROS]])
// CHECK:           %[[GRAD:.+]] = tensor.extract %[[G]]
// CHECK:           %[[ADDEND:.+]] = arith.extf %[[GRAD]] : f16 to f32
// CHECK:           tensor.extract %[[I]]
// CHECK:           scf.if
// CHECK:             %[[OLD:.+]] = tensor.extract %[[T:.+]][%[[PLACE:.+]]] : tensor<1x1x6x8xf32>
// CHECK:             %[[SUM:.+]] = arith.addf %[[OLD]], %[[ADDEND]]
// CHECK:             tensor.insert %[[SUM]] into %[[T]][%[[PLACE]]]
// CHECK:         linalg.generic {{.*}} ins(%[[SUMS]]
// CHECK:           arith.truncf %{{.+}} : f32 to f16

// BUFFER-LABEL: func @max_pool_grad_indices(
// BUFFER:         memref.alloc() {{.*}}: memref<1x3x6x8xf32>
// BUFFER-NOT:     memref.copy
// BUFFER:         memref.alloc() {{.*}}: memref<1x3x6x8xf16>
// BUFFER-NOT:     memref.alloc
// BUFFER-NOT:     memref.copy
// BUFFER:         return
func.func @max_pool_grad_indices(%x: tensor<1x3x6x8xf16>,
                                 %g: tensor<1x3x3x4xf16>,
                                 %i: tensor<1x3x3x4xi32>)
    -> tensor<1x3x6x8xf16> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [2, 2] strides [2, 2] axis 2
     : tensor<1x3x6x8xf16>, tensor<1x3x3x4xf16>, tensor<1x3x3x4xi32>
     -> tensor<1x3x6x8xf16>
  return %0 : tensor<1x3x6x8xf16>
}

// Without indices, a max_pool first computes them as positions within a plane.

// CHECK-LABEL: func @max_pool_grad_recomputed(
// CHECK-SAME:    %[[X:.+]]: tensor<1x3x6xf32>
// CHECK:         %[[CHOICE:.+]]:2 = linalg.generic {{.*}} ins(%[[X]],
// CHECK-NOT:     pool.
// CHECK:         %[[INDICES:.+]] = linalg.generic {{.*}} ins(%[[CHOICE]]#1 : tensor<1x3x5xi64>) {{.*}}xi32>
// CHECK:         scf.forall (
// CHECK:           tensor.extract %[[INDICES]]
// CHECK:           arith.addf
// CHECK-NOT:     arith.truncf
// CHECK:         return
func.func @max_pool_grad_recomputed(%x: tensor<1x3x6xf32>, %g: tensor<1x3x5xf32>)
    -> tensor<1x3x6xf32> {
  %0 = pool.max_pool_grad %x, %g kernel [2] nan_mode propagate
     : tensor<1x3x6xf32>, tensor<1x3x5xf32> -> tensor<1x3x6xf32>
  return %0 : tensor<1x3x6xf32>
}

// A window may have only padding. Its index names no element, so the loop must
// skip it.

// CHECK-LABEL: func @max_pool_grad_padding_alone(
// CHECK:         scf.for %
// CHECK:           %[[HOLDS:.+]] = arith.cmpi ne, %{{.+}}, %{{.+}} : index
// CHECK:           %[[INSIDE:.+]] = arith.cmpi ult
// CHECK:           %[[BOTH:.+]] = arith.andi %[[INSIDE]], %[[HOLDS]]
// CHECK:           scf.if %[[BOTH]]
func.func @max_pool_grad_padding_alone(%x: tensor<1x3x4xf32>,
                                       %g: tensor<1x3x5xf32>,
                                       %i: tensor<1x3x5xi32>)
    -> tensor<1x3x4xf32> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [2] pads_begin [2]
     : tensor<1x3x4xf32>, tensor<1x3x5xf32>, tensor<1x3x5xi32>
     -> tensor<1x3x4xf32>
  return %0 : tensor<1x3x4xf32>
}

// The gradient of an average: the loops go over the part of the window inside
// the input.

// CHECK-LABEL: func @avg_pool_grad_valid(
// CHECK-SAME:    %[[G:.+]]: tensor<1x3x6xf32>)
// CHECK:         scf.forall (
// CHECK:           %[[GRAD:.+]] = tensor.extract %[[G]]
// CHECK:           %[[BEGIN:.+]] = affine.max #[[$BEGIN]]()[%[[LAST:[a-z0-9]+]]]
// CHECK:           %[[DIVISOR:.+]] = arith.sitofp
// CHECK:           %[[SHARE:.+]] = arith.divf %[[GRAD]], %[[DIVISOR]]
// CHECK:           scf.for %[[TAP:[a-z0-9]+]] = %[[BEGIN]] to %{{.+}} iter_args(%[[T:[a-z0-9]+]] =
// CHECK:             %[[PLACE:.+]] = affine.apply #[[$PLACE]]()[%[[LAST]], %[[TAP]]]
// CHECK:             %[[OLD:.+]] = tensor.extract %[[T]]
// CHECK:             %[[SUM:.+]] = arith.addf %[[OLD]], %[[SHARE]]
// CHECK:             tensor.insert %[[SUM]] into %[[T]]

// BUFFER-LABEL: func @avg_pool_grad_valid(
// BUFFER:         memref.alloc() {{.*}}: memref<1x3x6xf32>
// BUFFER-NOT:     memref.alloc
// BUFFER-NOT:     memref.copy
// BUFFER:         return
func.func @avg_pool_grad_valid(%g: tensor<1x3x6xf32>) -> tensor<1x3x6xf32> {
  %0 = pool.avg_pool_grad %g kernel [3] pads_begin [1] pads_end [1]
     : tensor<1x3x6xf32> -> tensor<1x3x6xf32>
  return %0 : tensor<1x3x6xf32>
}

// A constant divisor and dynamic extents.

// CHECK-LABEL: func @avg_pool_grad_dynamic(
// CHECK-SAME:    %[[G:.+]]: tensor<?x3x?xbf16>, %[[N:.+]]: index, %[[W:.+]]: index)
// CHECK:         %[[FOUR:.+]] = arith.constant 4.000000e+00 : f32
// CHECK:         tensor.empty(%[[N]], %[[W]]) : tensor<?x3x?xf32>
// CHECK:         arith.divf %{{.+}}, %[[FOUR]]
// CHECK:         arith.truncf %{{.+}} : f32 to bf16
func.func @avg_pool_grad_dynamic(%g: tensor<?x3x?xbf16>, %n: index, %w: index)
    -> tensor<?x3x?xbf16> {
  %0 = pool.avg_pool_grad %g extents(%n, %w) kernel [4] strides [2]
         divisor kernel
     : tensor<?x3x?xbf16> -> tensor<?x3x?xbf16>
  return %0 : tensor<?x3x?xbf16>
}

// A sum needs no division.

// CHECK-LABEL: func @avg_pool_grad_sum(
// CHECK-NOT:     arith.divf
// CHECK:         return
func.func @avg_pool_grad_sum(%g: tensor<1x3x5xf64>) -> tensor<1x3x6xf64> {
  %0 = pool.avg_pool_grad %g kernel [2] divisor_override 1
     : tensor<1x3x5xf64> -> tensor<1x3x6xf64>
  return %0 : tensor<1x3x6xf64>
}

// Batch and channels of an average are independent. With channels last, the loop
// over channels stays innermost, unless it is to be parallel.

// RUN: pool-opt %s --convert-pool-to-linalg=parallel-channels --canonicalize | FileCheck %s --check-prefix=PARALLEL

// CHECK-LABEL: func @avg_pool_grad_first(
// CHECK:         scf.forall (%{{.+}}, %{{.+}}) in (2, 3)
// CHECK:           scf.for %
func.func @avg_pool_grad_first(%g: tensor<2x3x4x4x4xf32>) -> tensor<2x3x5x5x5xf32> {
  %0 = pool.avg_pool_grad %g kernel [2, 2, 2]
     : tensor<2x3x4x4x4xf32> -> tensor<2x3x5x5x5xf32>
  return %0 : tensor<2x3x5x5x5xf32>
}

// CHECK-LABEL: func @avg_pool_grad_last(
// CHECK:         scf.forall (%{{[a-z0-9]+}}) in (2)
// CHECK:           tensor.extract_slice %{{.+}} [1, 5, 3] [1, 1, 1]
// CHECK:           scf.for %
// CHECK:             scf.for %[[C:[a-z0-9]+]] =
// CHECK:               tensor.insert %{{.+}} into %{{.+}}[%{{.+}}, %{{.+}}, %[[C]]]
// PARALLEL-LABEL: func @avg_pool_grad_last(
// PARALLEL:        scf.forall (%{{.+}}, %{{.+}}) in (2, 3)
// PARALLEL:          tensor.extract_slice %{{.+}} [1, 5, 1] [1, 1, 1]
func.func @avg_pool_grad_last(%g: tensor<2x4x3xf32>) -> tensor<2x5x3xf32> {
  %0 = pool.avg_pool_grad %g kernel [2] layout channels_last
     : tensor<2x4x3xf32> -> tensor<2x5x3xf32>
  return %0 : tensor<2x5x3xf32>
}

// Indices over the last dimension leave only that one to a serial loop. The
// shape of the indices is that of the gradient, which is known.

// CHECK-LABEL: func @max_pool_grad_last_axis(
// CHECK:         scf.forall (%{{.+}}, %{{.+}}, %{{.+}}) in (2, 3, 4)
// CHECK:           scf.for %
// CHECK-NOT:       scf.for %
// CHECK:         return
func.func @max_pool_grad_last_axis(%x: tensor<2x3x4x6xf32>,
                                   %g: tensor<2x3x4x3xf32>,
                                   %i: tensor<?x?x?x?xi32>)
    -> tensor<2x3x4x6xf32> {
  %0 = pool.max_pool_grad %x, %g, %i kernel [1, 2] strides [1, 2] axis -1
     : tensor<2x3x4x6xf32>, tensor<2x3x4x3xf32>, tensor<?x?x?x?xi32>
     -> tensor<2x3x4x6xf32>
  return %0 : tensor<2x3x4x6xf32>
}
