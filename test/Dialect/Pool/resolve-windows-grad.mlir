// pool-resolve-windows makes automatic padding and rounding of gradients
// explicit, as it does for the forward operations. It must not do so where an
// average would then count other positions.

// RUN: pool-opt %s --pool-resolve-windows | FileCheck %s

// CHECK-LABEL: func @max_pool_grad(
// CHECK:         pool.max_pool_grad %{{.+}}, %{{.+}} kernel [3] strides [2] pads_end [1] : tensor<1x2x6xf32>, tensor<1x2x3xf32> -> tensor<1x2x6xf32>
func.func @max_pool_grad(%x: tensor<1x2x6xf32>, %g: tensor<1x2x3xf32>)
    -> tensor<1x2x6xf32> {
  %0 = pool.max_pool_grad %x, %g kernel [3] strides [2] rounding_type ceil
         auto_pad valid
     : tensor<1x2x6xf32>, tensor<1x2x3xf32> -> tensor<1x2x6xf32>
  return %0 : tensor<1x2x6xf32>
}

// Overhang must not become padding, since padding counts. Whether there is
// overhang follows from the result's extents.

// CHECK-LABEL: func @avg_pool_grad(
// CHECK:         pool.avg_pool_grad %{{.+}} kernel [3] pads_begin [1] pads_end [1] : tensor<1x2x6xf32> -> tensor<1x2x6xf32>
// CHECK:         pool.avg_pool_grad %{{.+}} kernel [3] strides [3] pads_begin [1] rounding_type ceil divisor padded : tensor<1x2x3xf32> -> tensor<1x2x7xf32>
// CHECK:         pool.avg_pool_grad %{{.+}} extents(%{{.+}}) kernel [3] auto_pad same_upper
func.func @avg_pool_grad(%g: tensor<1x2x6xf32>, %h: tensor<1x2x3xf32>, %w: index)
    -> (tensor<1x2x6xf32>, tensor<1x2x7xf32>, tensor<1x2x?xf32>) {
  %0 = pool.avg_pool_grad %g kernel [3] auto_pad same_upper
     : tensor<1x2x6xf32> -> tensor<1x2x6xf32>
  %1 = pool.avg_pool_grad %h kernel [3] strides [3] pads_begin [1]
         rounding_type ceil divisor padded
     : tensor<1x2x3xf32> -> tensor<1x2x7xf32>
  %2 = pool.avg_pool_grad %g extents(%w) kernel [3] auto_pad same_upper
     : tensor<1x2x6xf32> -> tensor<1x2x?xf32>
  return %0, %1, %2 : tensor<1x2x6xf32>, tensor<1x2x7xf32>, tensor<1x2x?xf32>
}
