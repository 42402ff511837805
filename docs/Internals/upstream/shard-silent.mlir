// The same without a consumer that would notice; docs/Internals/upstream/shard.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

shard.grid @grid(shape = 2)

func.func @columns(%x: tensor<4x4x16xf32>) -> tensor<4x4x16xf32> {
  %plain = shard.sharding @grid split_axes = [[], [], [0]] : !shard.sharding
  %halo = shard.sharding @grid split_axes = [[], [], [0]] halo_sizes = [1, 2] : !shard.sharding
  %0 = shard.shard %x to %plain : tensor<4x4x16xf32>
  %1 = shard.shard %0 to %halo annotate_for_users : tensor<4x4x16xf32>
  return %1 : tensor<4x4x16xf32>
}

// Five elements on two devices.
func.func @uneven(%x: tensor<5xf32>) -> tensor<5xf32> {
  %half = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %0 = shard.shard %x to %half : tensor<5xf32>
  %1 = shard.shard %0 to %half annotate_for_users : tensor<5xf32>
  %2 = tosa.abs %1 : (tensor<5xf32>) -> tensor<5xf32>
  %3 = shard.shard %2 to %half : tensor<5xf32>
  %4 = shard.shard %3 to %half annotate_for_users : tensor<5xf32>
  return %4 : tensor<5xf32>
}
