// Upstream's sharding passes. Shardings of batch and channels must propagate
// through pooling in both directions, and the partition must pool each shard
// separately.
//
// RUN: pool-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(sharding-propagation))" \
// RUN:   | FileCheck %s --check-prefix=SPREAD
// RUN: pool-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(sharding-propagation,shard-partition))" \
// RUN:   | FileCheck %s

shard.grid @grid(shape = 2x3)

// SPREAD-LABEL: func.func @forward
// SPREAD:         %[[MAXIMA:.*]] = pool.max_pool
// SPREAD:         %[[BOTH:.*]] = shard.sharding @grid split_axes = {{\[\[}}0], [1]]
// SPREAD:         shard.shard %[[MAXIMA]] to %[[BOTH]]
// CHECK-LABEL: func.func @forward
// CHECK-SAME:    (%[[X:.*]]: tensor<2x2x8x8xf32>) -> tensor<2x2x4x4xf32>
// CHECK-NEXT:    %[[MAXIMA:.*]] = pool.max_pool %[[X]]
// CHECK-SAME:      tensor<2x2x8x8xf32> -> tensor<2x2x4x4xf32>
// CHECK-NEXT:    return %[[MAXIMA]]
func.func @forward(%x: tensor<4x6x8x8xf32>) -> tensor<4x6x4x4xf32> {
  %both = shard.sharding @grid split_axes = [[0], [1]] : !shard.sharding
  %own = shard.shard %x to %both : tensor<4x6x8x8xf32>
  %maxima = pool.max_pool %own kernel [2, 2] strides [2, 2]
      : tensor<4x6x8x8xf32> -> tensor<4x6x4x4xf32>
  return %maxima : tensor<4x6x4x4xf32>
}

// -----

shard.grid @grid(shape = 2)

// The sharding propagates from the result back to the operands.
// SPREAD-LABEL: func.func @backward
// SPREAD-SAME:    (%[[X:.*]]: tensor
// SPREAD:         %[[BATCH:.*]] = shard.sharding @grid split_axes = {{\[\[}}0]]
// SPREAD:         shard.shard %[[X]] to %[[BATCH]]
// CHECK-LABEL: func.func @backward
// CHECK-SAME:    (%[[X:.*]]: tensor<2x3x9xf16>) -> tensor<2x3x5xf16>
// CHECK:         pool.avg_pool %[[X]]
// CHECK-SAME:      tensor<2x3x9xf16> -> tensor<2x3x5xf16>
func.func @backward(%x: tensor<4x3x9xf16>) -> tensor<4x3x5xf16> {
  %means = pool.avg_pool %x kernel [3] strides [2] pads_begin [1] pads_end [1]
      : tensor<4x3x9xf16> -> tensor<4x3x5xf16>
  %batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %own = shard.shard %means to %batch : tensor<4x3x5xf16>
  return %own : tensor<4x3x5xf16>
}

// -----

shard.grid @grid(shape = 2)

// With channels last, windows slide over dimensions 1 and 2.
// CHECK-LABEL: func.func @channels_last
// CHECK:         pool.lp_pool %{{.*}} : tensor<1x8x8x3xf32> -> tensor<1x7x7x3xf32>
func.func @channels_last(%x: tensor<1x8x8x6xf32>) -> tensor<1x7x7x6xf32> {
  %channels = shard.sharding @grid split_axes = [[], [], [], [0]] : !shard.sharding
  %own = shard.shard %x to %channels : tensor<1x8x8x6xf32>
  %norms = pool.lp_pool %own kernel [2, 2] layout channels_last
      : tensor<1x8x8x6xf32> -> tensor<1x7x7x6xf32>
  return %norms : tensor<1x7x7x6xf32>
}

// -----

shard.grid @grid(shape = 2)

// Indices from axis 2 on do not count batch and channels, so they are the same
// in a shard.
// CHECK-LABEL: func.func @indices
// CHECK:         pool.max_pool %{{.*}} axis 2
// CHECK-SAME:      tensor<2x3x8x8xi8> -> tensor<2x3x4x4xi8>, tensor<2x3x4x4xi32>
func.func @indices(%x: tensor<4x3x8x8xi8>) -> (tensor<4x3x4x4xi8>, tensor<4x3x4x4xi32>) {
  %batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %own = shard.shard %x to %batch : tensor<4x3x8x8xi8>
  %values, %indices = pool.max_pool %own kernel [2, 2] strides [2, 2] axis 2
      : tensor<4x3x8x8xi8> -> tensor<4x3x4x4xi8>, tensor<4x3x4x4xi32>
  return %values, %indices : tensor<4x3x4x4xi8>, tensor<4x3x4x4xi32>
}

// -----

shard.grid @grid(shape = 2)

// The plan was made for the unsharded shape, so the partition drops it.
// CHECK-LABEL: func.func @plan
// CHECK:         pool.max_pool
// CHECK-NOT:     #pool.plan
// CHECK:         return
func.func @plan(%x: tensor<4x3x8x8xf32>) -> tensor<4x3x4x4xf32> {
  %batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %own = shard.shard %x to %batch : tensor<4x3x8x8xf32>
  %maxima = pool.max_pool %own kernel [2, 2] strides [2, 2] {pool.plan = #pool.plan<"direct">}
      : tensor<4x3x8x8xf32> -> tensor<4x3x4x4xf32>
  return %maxima : tensor<4x3x4x4xf32>
}

// -----

shard.grid @grid(shape = 2)

// CHECK-LABEL: func.func @gradients
// CHECK:         pool.max_pool_grad %{{.*}} -> tensor<2x3x8x8xf32>
// CHECK:         pool.min_pool_grad %{{.*}} -> tensor<2x3x8x8xf32>
// CHECK:         pool.avg_pool_grad %{{.*}} : tensor<2x3x4x4xf32> -> tensor<2x3x8x8xf32>
func.func @gradients(%x: tensor<4x3x8x8xf32>, %grad: tensor<4x3x4x4xf32>)
    -> (tensor<4x3x8x8xf32>, tensor<4x3x8x8xf32>, tensor<4x3x8x8xf32>) {
  %batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %own = shard.shard %x to %batch : tensor<4x3x8x8xf32>
  %ownGrad = shard.shard %grad to %batch : tensor<4x3x4x4xf32>
  %max = pool.max_pool_grad %own, %ownGrad kernel [2, 2] strides [2, 2]
      : tensor<4x3x8x8xf32>, tensor<4x3x4x4xf32> -> tensor<4x3x8x8xf32>
  %min = pool.min_pool_grad %own, %ownGrad kernel [2, 2] strides [2, 2]
      : tensor<4x3x8x8xf32>, tensor<4x3x4x4xf32> -> tensor<4x3x8x8xf32>
  %avg = pool.avg_pool_grad %ownGrad kernel [2, 2] strides [2, 2]
      : tensor<4x3x4x4xf32> -> tensor<4x3x8x8xf32>
  return %max, %min, %avg : tensor<4x3x8x8xf32>, tensor<4x3x8x8xf32>, tensor<4x3x8x8xf32>
}

// -----

shard.grid @grid(shape = 2)

// CHECK-LABEL: func.func @unpool
// CHECK:         pool.max_unpool %{{.*}} axis 1
// CHECK-SAME:      -> tensor<2x3x8x8xf32>
func.func @unpool(%values: tensor<4x3x4x4xf32>, %indices: tensor<4x3x4x4xi64>)
    -> tensor<4x3x8x8xf32> {
  %batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %own = shard.shard %values to %batch : tensor<4x3x4x4xf32>
  %output = pool.max_unpool %own, %indices axis 1
      : tensor<4x3x4x4xf32>, tensor<4x3x4x4xi64> -> tensor<4x3x8x8xf32>
  return %output : tensor<4x3x8x8xf32>
}

// -----

shard.grid @grid(shape = 2)

// CHECK-LABEL: func.func @adaptive
// CHECK:         pool.adaptive_avg_pool %{{.*}} : tensor<4x3x?x8xf32> -> tensor<4x3x3x3xf32>
// CHECK:         pool.adaptive_max_pool %{{.*}} : tensor<4x3x?x8xf32> -> tensor<4x3x3x3xf32>
func.func @adaptive(%x: tensor<4x6x?x8xf32>) -> (tensor<4x6x3x3xf32>, tensor<4x6x3x3xf32>) {
  %channels = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %own = shard.shard %x to %channels : tensor<4x6x?x8xf32>
  %means = pool.adaptive_avg_pool %own output_size [3, 3]
      : tensor<4x6x?x8xf32> -> tensor<4x6x3x3xf32>
  %maxima = pool.adaptive_max_pool %own output_size [3, 3]
      : tensor<4x6x?x8xf32> -> tensor<4x6x3x3xf32>
  return %means, %maxima : tensor<4x6x3x3xf32>, tensor<4x6x3x3xf32>
}

// -----

shard.grid @grid(shape = 2)

// An unused result gets no annotation, but it is split like the other result.
// CHECK-LABEL: func.func @unused_indices
// CHECK:         pool.max_pool %{{.*}} : tensor<2x8x8xf32> -> tensor<2x8x4xf32>, tensor<2x8x4xi64>
// CHECK-LABEL: func.func @unused_values
// CHECK:         pool.max_pool %{{.*}} : tensor<2x8x8xf32> -> tensor<2x8x4xf32>, tensor<2x8x4xi64>
func.func @unused_indices(%x: tensor<4x8x8xf32>) -> tensor<4x8x4xf32> {
  %batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %own = shard.shard %x to %batch annotate_for_users : tensor<4x8x8xf32>
  %values, %indices = pool.max_pool %own kernel [2] strides [2] axis 2
      : tensor<4x8x8xf32> -> tensor<4x8x4xf32>, tensor<4x8x4xi64>
  %result = shard.shard %values to %batch : tensor<4x8x4xf32>
  return %result : tensor<4x8x4xf32>
}
func.func @unused_values(%x: tensor<4x8x8xf32>) -> tensor<4x8x4xi64> {
  %batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %own = shard.shard %x to %batch annotate_for_users : tensor<4x8x8xf32>
  %values, %indices = pool.max_pool %own kernel [2] strides [2] axis 2
      : tensor<4x8x8xf32> -> tensor<4x8x4xf32>, tensor<4x8x4xi64>
  %result = shard.shard %indices to %batch : tensor<4x8x4xi64>
  return %result : tensor<4x8x4xi64>
}
