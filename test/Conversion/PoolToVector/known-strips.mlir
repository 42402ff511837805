// The compile time of convert-pool-to-vector must not grow with the number of
// strips in padding. A search that goes strip by strip would take days for
// these extents.
//
// RUN: pool-opt %s --convert-pool-to-vector | FileCheck %s

// CHECK-LABEL: func.func @pads
// CHECK:         scf.for
func.func @pads(%x: tensor<1x1x3xi8>) -> tensor<1x1x281474976710656xi8> {
  %y = pool.max_pool %x kernel [2] pads_begin [281474976710654]
      : tensor<1x1x3xi8> -> tensor<1x1x281474976710656xi8>
  return %y : tensor<1x1x281474976710656xi8>
}

// CHECK-LABEL: func.func @gradient
// CHECK:         scf.for
func.func @gradient(%g: tensor<1x1x1xf16>) -> tensor<1x1x281474976710656xf16> {
  %y = pool.avg_pool_grad %g kernel [1] strides [281474976710656]
      : tensor<1x1x1xf16> -> tensor<1x1x281474976710656xf16>
  return %y : tensor<1x1x281474976710656xf16>
}
