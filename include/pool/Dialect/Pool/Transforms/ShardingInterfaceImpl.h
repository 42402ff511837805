// Implements upstream's ShardingInterface for the pooling operations. Only
// batch and channels can be sharded, because no window crosses them. A sharding
// of spatial dimensions is rejected; to cut these, use Partition/Partition.h.
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
