// convert-linalg-to-pool on a whole CNN that torch-mlir exported. All six pools
// must be raised, and nothing may remain of their padding, fills and divisions.

// RUN: pool-opt %src_root/test/data/torch-mlir/small-cnn.linalg.mlir --convert-linalg-to-pool | FileCheck %s

// CHECK:     linalg.conv_2d_nchw_fchw
// CHECK:     %[[MAX1:.+]] = pool.max_pool %{{.+}} kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1] nan_mode propagate : tensor<1x8x31x29xf32> -> tensor<1x8x16x15xf32>
// CHECK:     tensor.pad %[[MAX1]]
// CHECK:     linalg.conv_2d_nchw_fchw
// CHECK:     %[[MAX2:.+]] = pool.max_pool %{{.+}} kernel [3, 3] strides [2, 2] pads_end [1, 0] nan_mode propagate : tensor<1x12x16x15xf32> -> tensor<1x12x8x7xf32>
// CHECK-NEXT: %[[MAX3:.+]] = pool.max_pool %[[MAX2]] kernel [2, 2] dilations [2, 2] pads_begin [1, 1] pads_end [1, 1] nan_mode propagate : tensor<1x12x8x7xf32> -> tensor<1x12x8x7xf32>
// CHECK-NEXT: %[[AVG1:.+]] = pool.avg_pool %[[MAX3]] kernel [3, 3] pads_begin [1, 1] pads_end [1, 1] : tensor<1x12x8x7xf32> -> tensor<1x12x8x7xf32>
// CHECK-NEXT: %[[AVG2:.+]] = pool.avg_pool %[[AVG1]] kernel [3, 3] strides [2, 2] pads_begin [1, 1] pads_end [1, 1] rounding_type ceil divisor padded : tensor<1x12x8x7xf32> -> tensor<1x12x5x4xf32>
// CHECK-NEXT: %[[AVG3:.+]] = pool.avg_pool %[[AVG2]] kernel [5, 4] : tensor<1x12x5x4xf32> -> tensor<1x12x1x1xf32>
// CHECK-NEXT: tensor.collapse_shape %[[AVG3]]
// CHECK-NOT: pool
// CHECK:     linalg.matmul
