// Functions that pool-map-to-gpu and pool-device-buffers call. Each is in its
// own file.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_GPU_MAPTOGPU_H
#define POOL_LIB_GPU_MAPTOGPU_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir {
class AliasAnalysis;
} // namespace mlir

namespace mlir::pool {

/// Fuses neighboring parallel loops of `region` that have equal extents. Fuses
/// no loops at all if a fusion might change the order of effects. Then replaces
/// each load by the value that the same iteration stored to the same element.
/// Erases buffers that are not read any more, and returns their number.
unsigned fuseLoops(Region &region, AliasAnalysis &aliases);

/// Moves allocations out of `loop`, which has the extents `extents`, and gives
/// each iteration a slice of them. Requires that all loops inside are serial,
/// and that one thread runs an iteration. Leaves an allocation in the loop if
/// it has other users than loads and stores, if it has a memory space, or if no
/// bound of an extent is known before `loop`.
void hoistAllocations(RewriterBase &rewriter, scf::ParallelOp loop,
                      ValueRange extents);

/// Passes each buffer of dynamic shape to `launch` as a buffer of one
/// dimension. Passes a slice of dynamic offset or strides as the whole buffer.
/// Emits an error and fails if a whole buffer has gaps, or if a buffer has
/// other users than loads and stores.
LogicalResult flattenBuffers(RewriterBase &rewriter, gpu::LaunchOp launch);

/// Clones operations from outside into `launch` if their results are used
/// there. Clones an operation if it is pure and `sinks` returns true for it,
/// and then looks at its operands. Upstream's sinkOperationsIntoLaunchOp does
/// not move an operation if one of its operands would become a new argument of
/// the kernel.
void sinkIntoLaunch(gpu::LaunchOp launch,
                    llvm::function_ref<bool(Operation *)> sinks);

} // namespace mlir::pool

#endif // POOL_LIB_GPU_MAPTOGPU_H
