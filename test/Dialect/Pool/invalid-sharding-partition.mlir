// Upstream's shard-partition must reject sharding annotations, here written by
// hand, if shards cannot be pooled separately. Without the error, results would
// be wrong at the ends of shards. invalid-sharding.mlir has annotations that
// upstream propagates.
//
// RUN: pool-opt %s --split-input-file --verify-diagnostics \
// RUN:   --pass-pipeline="builtin.module(func.func(shard-partition))"

shard.grid @grid(shape = 2)

func.func @spatial(%x: tensor<4x3x8xf32>) -> tensor<4x3x4xf32> {
  %columns = shard.sharding @grid split_axes = [[], [], [0]] : !shard.sharding
  %own = shard.shard %x to %columns annotate_for_users : tensor<4x3x8xf32>
  // expected-error @+1 {{cannot be sharded in dimension 2: windows slide over it}}
  %maxima = pool.max_pool %own kernel [2] strides [2] : tensor<4x3x8xf32> -> tensor<4x3x4xf32>
  %result = shard.shard %maxima to %columns : tensor<4x3x4xf32>
  return %result : tensor<4x3x4xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @halo(%x: tensor<4x3x8xf32>) -> tensor<4x3x4xf32> {
  %batch = shard.sharding @grid split_axes = [[0]] halo_sizes = [1, 1] : !shard.sharding
  %own = shard.shard %x to %batch annotate_for_users : tensor<4x3x8xf32>
  // expected-error @+1 {{operand #0 is sharded with halos, which it cannot use}}
  %maxima = pool.max_pool %own kernel [2] strides [2] : tensor<4x3x8xf32> -> tensor<4x3x4xf32>
  %result = shard.shard %maxima to %batch : tensor<4x3x4xf32>
  return %result : tensor<4x3x4xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @different(%x: tensor<4x2x8xf32>) -> tensor<4x2x4xf32> {
  %batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %channels = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %own = shard.shard %x to %batch annotate_for_users : tensor<4x2x8xf32>
  // expected-error @+1 {{result #0 is sharded otherwise than operand #0 in dimension 0}}
  %maxima = pool.max_pool %own kernel [2] strides [2] : tensor<4x2x8xf32> -> tensor<4x2x4xf32>
  %result = shard.shard %maxima to %channels : tensor<4x2x4xf32>
  return %result : tensor<4x2x4xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @sizes(%x: tensor<5x3x8xf32>) -> tensor<5x3x4xf32> {
  %batch = shard.sharding @grid split_axes = [[0]] sharded_dims_offsets = [0, 3, 5] : !shard.sharding
  %own = shard.shard %x to %batch annotate_for_users : tensor<5x3x8xf32>
  // expected-error @+1 {{operand #0 has shards of given sizes, must have equal ones}}
  %maxima = pool.max_pool %own kernel [2] strides [2] : tensor<5x3x8xf32> -> tensor<5x3x4xf32>
  %result = shard.shard %maxima to %batch : tensor<5x3x4xf32>
  return %result : tensor<5x3x4xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  %maxima = pool.max_pool %x kernel [2] strides [2] : tensor<*xf32> -> tensor<*xf32>
  return %maxima : tensor<*xf32>
}

// -----

shard.grid @grid(shape = 2)

func.func @not_annotated(%x: tensor<4x3x8xf32>) -> (tensor<4x3x4xf32>, tensor<4x3x4xi64>) {
  %batch = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %own = shard.shard %x to %batch : tensor<4x3x8xf32>
  %read = shard.shard %own to %batch annotate_for_users : tensor<4x3x8xf32>
  // expected-error @+1 {{result #1 has no sharding; annotate it by shard.shard}}
  %maxima, %indices = pool.max_pool %read kernel [2] strides [2] axis 2
      : tensor<4x3x8xf32> -> tensor<4x3x4xf32>, tensor<4x3x4xi64>
  %result = shard.shard %maxima to %batch : tensor<4x3x4xf32>
  return %result, %indices : tensor<4x3x4xf32>, tensor<4x3x4xi64>
}
