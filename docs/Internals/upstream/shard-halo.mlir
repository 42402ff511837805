// Halos of a dimension that is not the first; docs/Internals/upstream/shard.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

shard.grid @grid(shape = 2)

// The second dimension is the first that is sharded: halo_sizes are its own. Each of
// two shards has 8 columns, and with its halos 1 + 8 + 2.
func.func @columns(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %plain = shard.sharding @grid split_axes = [[], [0]] : !shard.sharding
  %halo = shard.sharding @grid split_axes = [[], [0]] halo_sizes = [1, 2] : !shard.sharding
  %0 = shard.shard %x to %plain : tensor<4x16xf32>
  %1 = shard.shard %0 to %halo annotate_for_users : tensor<4x16xf32>
  %2 = tosa.abs %1 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %3 = shard.shard %2 to %halo : tensor<4x16xf32>
  %4 = shard.shard %3 to %halo annotate_for_users : tensor<4x16xf32>
  return %4 : tensor<4x16xf32>
}
