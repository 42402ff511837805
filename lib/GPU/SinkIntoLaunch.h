// Moves the computation of values into the kernels that use them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_GPU_SINKINTOLAUNCH_H
#define POOL_LIB_GPU_SINKINTOLAUNCH_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::pool {

/// Clones into `launch` each pure operation outside whose result it uses and
/// for which `sinks` is true, recursively. Upstream's
/// sinkOperationsIntoLaunchOp leaves an operation outside if an operand would
/// be a new argument.
void sinkIntoLaunch(gpu::LaunchOp launch,
                    llvm::function_ref<bool(Operation *)> sinks);

} // namespace mlir::pool

#endif // POOL_LIB_GPU_SINKINTOLAUNCH_H
