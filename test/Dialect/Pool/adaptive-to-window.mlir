// pool-adaptive-to-window turns adaptive pooling into ordinary pooling. It may
// do so only if all windows have the same size and distance; otherwise the
// operation must stay.

// RUN: pool-opt %s --pool-adaptive-to-window | FileCheck %s

// CHECK-LABEL: func.func @remainder_of_one(
// CHECK-NEXT:    pool.avg_pool %{{.+}} kernel [3] strides [2] : tensor<1x8x13xf32> -> tensor<1x8x6xf32>
func.func @remainder_of_one(%x: tensor<1x8x13xf32>) -> tensor<1x8x6xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [6]
    : tensor<1x8x13xf32> -> tensor<1x8x6xf32>
  return %0 : tensor<1x8x6xf32>
}

// CHECK-LABEL: func.func @indices(
// CHECK-NEXT:    pool.max_pool %{{.+}} kernel [2] strides [2] axis 2 : tensor<?x?x12xf32> -> tensor<?x?x6xf32>, tensor<?x?x6xi32>
func.func @indices(%x: tensor<?x?x12xf32>)
    -> (tensor<?x?x6xf32>, tensor<?x?x6xi32>) {
  %0, %1 = pool.adaptive_max_pool %x output_size [6] axis 2
    : tensor<?x?x12xf32> -> tensor<?x?x6xf32>, tensor<?x?x6xi32>
  return %0, %1 : tensor<?x?x6xf32>, tensor<?x?x6xi32>
}

// CHECK-LABEL: func.func @plan(
// CHECK-NEXT:    pool.max_pool {{.*}} {pool.plan = #pool.plan<"direct", lanes = 2>}
func.func @plan(%x: tensor<1x8x12xf32>) -> tensor<1x8x6xf32> {
  %0 = pool.adaptive_max_pool %x output_size [6] {pool.plan = #pool.plan<"direct", lanes = 2>}
    : tensor<1x8x12xf32> -> tensor<1x8x6xf32>
  return %0 : tensor<1x8x6xf32>
}

// CHECK-LABEL: func.func @irregular(
// CHECK-NEXT:    pool.adaptive_avg_pool
func.func @irregular(%x: tensor<1x8x14xf32>) -> tensor<1x8x6xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [6]
    : tensor<1x8x14xf32> -> tensor<1x8x6xf32>
  return %0 : tensor<1x8x6xf32>
}

// CHECK-LABEL: func.func @unknown_extent(
// CHECK-NEXT:    pool.adaptive_avg_pool
func.func @unknown_extent(%x: tensor<1x8x?xf32>) -> tensor<1x8x6xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [6]
    : tensor<1x8x?xf32> -> tensor<1x8x6xf32>
  return %0 : tensor<1x8x6xf32>
}

// CHECK-LABEL: func.func @unranked(
// CHECK-NEXT:    pool.adaptive_avg_pool
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  %0 = pool.adaptive_avg_pool %x output_size [6] : tensor<*xf32> -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
