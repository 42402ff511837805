// RUN: standalone-opt %s --lower-one-by-one 2>&1 | FileCheck %s

// CHECK: remark: lowered by "planes": {{.*}} cycles an output
// CHECK: remark: left alone: spatial dimension 0 has kernel 1073741825
// CHECK-LABEL: func.func @average(
// CHECK: pool.on_buffers
// CHECK: vector.load
func.func @average(%x: tensor<1x4x32x32xf32>) -> tensor<1x4x30x30xf32> {
  %y = pool.avg_pool %x kernel [3, 3] : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
  return %y : tensor<1x4x30x30xf32>
}

// CHECK-LABEL: func.func @huge(
// CHECK: pool.max_pool
func.func @huge(%x: tensor<1x4x?xf32>) -> tensor<1x4x?xf32> {
  %y = pool.max_pool %x kernel [1073741825] : tensor<1x4x?xf32> -> tensor<1x4x?xf32>
  return %y : tensor<1x4x?xf32>
}
