// Upstream's sharding-propagation must reject a sharding if shards cannot be
// pooled separately, and say why. invalid-sharding-partition.mlir does the same
// for annotations written by hand.
//
// RUN: pool-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline="builtin.module(func.func(sharding-propagation{traversal=forward},shard-partition))"

shard.grid @grid(shape = 2)

func.func @spatial(%x: tensor<4x3x8x8xf32>) -> tensor<4x3x4x4xf32> {
  %rows = shard.sharding @grid split_axes = [[], [], [0]] : !shard.sharding
  %own = shard.shard %x to %rows : tensor<4x3x8x8xf32>
  // expected-error @+2 {{cannot be sharded in dimension 2: windows slide over it, and shards would need halos, which are not exchanged for it}}
  // expected-error @+1 {{fail to get sharding option}}
  %maxima = pool.max_pool %own kernel [2, 2] strides [2, 2]
      : tensor<4x3x8x8xf32> -> tensor<4x3x4x4xf32>
  return %maxima : tensor<4x3x4x4xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @spatial_channels_last(%x: tensor<4x8x3xf32>) -> tensor<4x4x3xf32> {
  %columns = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %own = shard.shard %x to %columns : tensor<4x8x3xf32>
  // expected-error @+2 {{cannot be sharded in dimension 1: windows slide over it}}
  // expected-error @+1 {{fail to get sharding option}}
  %means = pool.avg_pool %own kernel [2] strides [2] layout channels_last
      : tensor<4x8x3xf32> -> tensor<4x4x3xf32>
  return %means : tensor<4x4x3xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @adaptive(%x: tensor<4x3x8xf32>) -> tensor<4x3x4xf32> {
  %columns = shard.sharding @grid split_axes = [[], [], [0]] : !shard.sharding
  %own = shard.shard %x to %columns : tensor<4x3x8xf32>
  // expected-error @+2 {{cannot be sharded in dimension 2: windows slide over it}}
  // expected-error @+1 {{fail to get sharding option}}
  %means = pool.adaptive_avg_pool %own output_size [4] : tensor<4x3x8xf32> -> tensor<4x3x4xf32>
  return %means : tensor<4x3x4xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @indices(%x: tensor<4x3x8xf32>) -> (tensor<4x3x4xf32>, tensor<4x3x4xi64>) {
  %batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %own = shard.shard %x to %batch : tensor<4x3x8xf32>
  // expected-error @+2 {{cannot be sharded in dimension 0: indices count it, from axis 0 on, so that those of a shard are not those of the whole}}
  // expected-error @+1 {{fail to get sharding option}}
  %values, %indices = pool.max_pool %own kernel [2] strides [2]
      : tensor<4x3x8xf32> -> tensor<4x3x4xf32>, tensor<4x3x4xi64>
  return %values, %indices : tensor<4x3x4xf32>, tensor<4x3x4xi64>
}

// -----

shard.grid @grid(shape = 3)

func.func @adaptive_indices(%x: tensor<4x3x8xf32>) -> (tensor<4x3x4xf32>, tensor<4x3x4xi64>) {
  %channels = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %own = shard.shard %x to %channels : tensor<4x3x8xf32>
  // expected-error @+2 {{cannot be sharded in dimension 1: indices count it, from axis 1 on}}
  // expected-error @+1 {{fail to get sharding option}}
  %values, %indices = pool.adaptive_max_pool %own output_size [4] axis 1
      : tensor<4x3x8xf32> -> tensor<4x3x4xf32>, tensor<4x3x4xi64>
  return %values, %indices : tensor<4x3x4xf32>, tensor<4x3x4xi64>
}

// -----

shard.grid @grid(shape = 2)

func.func @given_indices(%x: tensor<4x3x8xf32>, %grad: tensor<4x3x4xf32>,
                         %indices: tensor<4x3x4xi64>) -> tensor<4x3x8xf32> {
  %batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %own = shard.shard %x to %batch : tensor<4x3x8xf32>
  // expected-error @+2 {{cannot be sharded in dimension 0: indices count it, from axis 0 on}}
  // expected-error @+1 {{fail to get sharding option}}
  %result = pool.max_pool_grad %own, %grad, %indices kernel [2] strides [2]
      : tensor<4x3x8xf32>, tensor<4x3x4xf32>, tensor<4x3x4xi64> -> tensor<4x3x8xf32>
  return %result : tensor<4x3x8xf32>
}

// -----

shard.grid @grid(shape = 3)

func.func @unpool(%values: tensor<4x3x4xf32>, %indices: tensor<4x3x4xi64>) -> tensor<4x3x8xf32> {
  %channels = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %own = shard.shard %values to %channels : tensor<4x3x4xf32>
  // expected-error @+2 {{cannot be sharded in dimension 1: from axis 1 on an index may name any position}}
  // expected-error @+1 {{fail to get sharding option}}
  %output = pool.max_unpool %own, %indices axis 1
      : tensor<4x3x4xf32>, tensor<4x3x4xi64> -> tensor<4x3x8xf32>
  return %output : tensor<4x3x8xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @extent_operand(%grad: tensor<?x3x4xf32>, %n: index) -> tensor<?x3x8xf32> {
  %batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %own = shard.shard %grad to %batch : tensor<?x3x4xf32>
  // expected-error @+2 {{cannot be sharded in dimension 0: its extent is an operand, which is that of the whole}}
  // expected-error @+1 {{fail to get sharding option}}
  %result = pool.avg_pool_grad %own extents(%n) kernel [2] strides [2]
      : tensor<?x3x4xf32> -> tensor<?x3x8xf32>
  return %result : tensor<?x3x8xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @per_channel(%x: tensor<4x2x8x!quant.uniform<i8:f32:1, {0.5, 0.25}>>)
    -> tensor<4x2x4x!quant.uniform<i8:f32:1, {0.5, 0.25}>> {
  %channels = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %own = shard.shard %x to %channels : tensor<4x2x8x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  // expected-error @+2 {{cannot be sharded in dimension 1: !quant.uniform<i8:f32:1, {5.000000e-01,2.500000e-01}> has a scale for each of its elements}}
  // expected-error @+1 {{fail to get sharding option}}
  %maxima = pool.max_pool %own kernel [2] strides [2]
      : tensor<4x2x8x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
        -> tensor<4x2x4x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return %maxima : tensor<4x2x4x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
}

// -----

shard.grid @grid(shape = 2)

func.func @uneven(%x: tensor<5x3x8xf32>) -> tensor<5x3x4xf32> {
  %batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %own = shard.shard %x to %batch : tensor<5x3x8xf32>
  // expected-error @+1 {{cannot be sharded in dimension 0 of operand #0: 5 elements are not divided evenly by 2 shards}}
  %maxima = pool.max_pool %own kernel [2] strides [2] : tensor<5x3x8xf32> -> tensor<5x3x4xf32>
  return %maxima : tensor<5x3x4xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{invalid sharding interface implementation}}
  %maxima = pool.max_pool %x kernel [2] strides [2] : tensor<*xf32> -> tensor<*xf32>
  return %maxima : tensor<*xf32>
}
