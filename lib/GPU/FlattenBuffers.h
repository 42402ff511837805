// Flattens the buffers of a kernel.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_GPU_FLATTENBUFFERS_H
#define POOL_LIB_GPU_FLATTENBUFFERS_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::pool {

/// Passes buffers of dynamic shape to `launch` as buffers of one dimension, and
/// slices of dynamic offset or strides as the whole buffer. Fails with an error
/// if a whole buffer has gaps, or one is not only loaded and stored.
LogicalResult flattenBuffers(RewriterBase &rewriter, gpu::LaunchOp launch);

} // namespace mlir::pool

#endif // POOL_LIB_GPU_FLATTENBUFFERS_H
