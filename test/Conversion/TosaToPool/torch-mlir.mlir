// convert-tosa-to-pool on a whole CNN that torch-mlir exported to TOSA. Every
// pool must be raised, including the adaptive average.

// RUN: pool-opt %src_root/test/data/torch-mlir/small-cnn.tosa.mlir --convert-tosa-to-pool | FileCheck %s

// CHECK:     tosa.conv2d
// CHECK:     %[[MAX1:.+]] = pool.max_pool %{{.+}} kernel [3, 3] strides [2, 2] pads_begin [1, 1] layout channels_last nan_mode propagate : tensor<1x32x32x8xf32> -> tensor<1x16x16x8xf32>
// CHECK:     tosa.conv2d %[[MAX1]]
// CHECK:     %[[MAX2:.+]] = pool.max_pool %{{.+}} kernel [2, 2] strides [2, 2] layout channels_last nan_mode propagate : tensor<1x16x16x12xf32> -> tensor<1x8x8x12xf32>
// CHECK-NEXT: %[[MAX3:.+]] = pool.max_pool %[[MAX2]] kernel [3, 3] pads_begin [1, 1] pads_end [1, 1] layout channels_last nan_mode propagate
// CHECK-NEXT: %[[AVG1:.+]] = pool.avg_pool %[[MAX3]] kernel [3, 3] pads_begin [1, 1] pads_end [1, 1] layout channels_last :
// CHECK-NEXT: %[[AVG2:.+]] = pool.avg_pool %[[AVG1]] kernel [2, 2] strides [2, 2] layout channels_last : tensor<1x8x8x12xf32> -> tensor<1x4x4x12xf32>
// CHECK-NEXT: %[[FIRST:.+]] = tosa.transpose %[[AVG2]]
// CHECK-NEXT: %[[AVG3:.+]] = pool.avg_pool %[[FIRST]] kernel [4, 4] : tensor<1x12x4x4xf32> -> tensor<1x12x1x1xf32>
// CHECK-NEXT: tosa.reshape %[[AVG3]]
// CHECK-NOT: pool
// CHECK:     tosa.matmul
