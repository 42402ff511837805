// Prepares the buffers of kernels: allocations, and SPIR-V's arrays.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_GPU_KERNELBUFFERS_H
#define POOL_LIB_GPU_KERNELBUFFERS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::pool {

/// Moves allocations out of `loop`, which has the given extents. Each iteration
/// gets a slice of a buffer. An allocation stays if a view of it is used, or if
/// no number is known that its extents never exceed.
void hoistAllocations(RewriterBase &rewriter, scf::ParallelOp loop,
                      ValueRange extents);

/// Passes buffers of dynamic shape to `launch` as buffers of one dimension, and
/// slices of dynamic offset or strides as the whole buffer. Fails with an error
/// if a whole buffer has gaps, or one is not only loaded and stored.
LogicalResult flattenBuffers(RewriterBase &rewriter, gpu::LaunchOp launch);

} // namespace mlir::pool

#endif // POOL_LIB_GPU_KERNELBUFFERS_H
