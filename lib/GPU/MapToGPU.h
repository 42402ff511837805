// Functions of pool-map-to-gpu and pool-device-buffers, each in a file of its
// own.
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

/// Fuses neighbouring parallel loops of `region` that have equal extents, if
/// all fusions keep the order of effects. Loads then take the values that the
/// same iteration has stored. Erases the buffers that nothing reads any more,
/// and returns their number.
unsigned fuseLoops(Region &region, AliasAnalysis &aliases);

/// Moves allocations out of `loop`, which has the given extents, and gives each
/// iteration a slice. Requires serial loops inside, and one thread for each
/// iteration. An allocation stays if it has other users than loads and stores,
/// a memory space, or an extent without a bound that is known before `loop`.
void hoistAllocations(RewriterBase &rewriter, scf::ParallelOp loop,
                      ValueRange extents);

/// Passes buffers of dynamic shape to `launch` as buffers of one dimension, and
/// slices of dynamic offset or strides as the whole buffer. Fails with an error
/// if a whole buffer has gaps, or one is not only loaded and stored.
LogicalResult flattenBuffers(RewriterBase &rewriter, gpu::LaunchOp launch);

/// Clones into `launch` each pure operation outside whose result it uses and
/// for which `sinks` is true, recursively. Upstream's
/// sinkOperationsIntoLaunchOp leaves an operation outside if an operand would
/// be a new argument.
void sinkIntoLaunch(gpu::LaunchOp launch,
                    llvm::function_ref<bool(Operation *)> sinks);

} // namespace mlir::pool

#endif // POOL_LIB_GPU_MAPTOGPU_H
