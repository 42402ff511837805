// How operations are sharded by upstream's shard dialect: over batch and
// channels, where windows need nothing of other shards. Spatial dimensions are
// refused; Partition/Partition.h cuts them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_SHARDINGINTERFACEIMPL_H
#define POOL_DIALECT_POOL_TRANSFORMS_SHARDINGINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;

namespace pool {
/// Gives what the dialect promises: ShardingInterface of the operations on
/// tensors.
void registerShardingInterfaceExternalModels(DialectRegistry &registry);
} // namespace pool
} // namespace mlir

#endif // POOL_DIALECT_POOL_TRANSFORMS_SHARDINGINTERFACEIMPL_H
