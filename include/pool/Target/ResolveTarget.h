// Resolves the machine that options of passes and pipelines name.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_TARGET_RESOLVETARGET_H
#define POOL_TARGET_RESOLVETARGET_H

#include "pool/Target/Target.h"
#include "pool/Target/TargetNames.h"

#include "mlir/Support/LLVM.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace mlir::pool {

/// Returns the machine for the options of a pass or pipeline: `target`, `mcpu`
/// and `mattr` in `names`, and `vector-bits` in `vectorBits`. Unless it is 0,
/// `vectorBits` overrides the register width of the named machine. With
/// `vectorBits` alone, returns a generic machine; without any option, returns
/// `Target()`. On failure, emits an error that has no location in the IR and
/// names the options with their values.
FailureOr<Target> resolveTarget(const TargetNames &names, int64_t vectorBits,
                                MLIRContext *context);

/// Returns the GPU that `names` names, or none if the triple is not a GPU's.
/// On failure, emits an error, as resolveTarget does.
FailureOr<std::optional<GPU>> resolveGPU(const TargetNames &names,
                                         MLIRContext *context);

/// Fails with an error if a GPU has no blocks of `block` threads.
LogicalResult checkBlock(int64_t block, MLIRContext *context);

} // namespace mlir::pool

#endif // POOL_TARGET_RESOLVETARGET_H
