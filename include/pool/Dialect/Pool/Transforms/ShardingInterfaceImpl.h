// Sharding of the operations by upstream's shard dialect. Only batch and
// channels are sharded, because windows cross neither. Spatial dimensions are
// rejected; Partition/Partition.h cuts spatial dimensions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_SHARDINGINTERFACEIMPL_H
#define POOL_DIALECT_POOL_TRANSFORMS_SHARDINGINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;

namespace pool {
/// Registers the ShardingInterface models of the operations on tensors, which
/// the dialect promises.
void registerShardingInterfaceExternalModels(DialectRegistry &registry);
} // namespace pool
} // namespace mlir

#endif // POOL_DIALECT_POOL_TRANSFORMS_SHARDINGINTERFACEIMPL_H
