// Finds the machine that the options of a pass or pipeline describe.
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

/// Returns the machine that the options of a pass or pipeline describe. `names`
/// has the options `target`, `mcpu` and `mattr`, and `vectorBits` has
/// `vector-bits`. If `vectorBits` is not 0, it replaces the register width of
/// the named machine. If only `vectorBits` is given, returns a generic machine.
/// If no option is given, returns `Target()`. Emits an error and fails if an
/// option is invalid. The error has no location and repeats the options.
FailureOr<Target> resolveTarget(const TargetNames &names, int64_t vectorBits,
                                MLIRContext *context);

/// Returns the GPU that `names` describe, or none if the triple is not that of
/// a GPU. If it fails, emits an error, as resolveTarget does.
FailureOr<std::optional<GPU>> resolveGPU(const TargetNames &names,
                                         MLIRContext *context);

/// Emits an error and fails unless `block` is from 1 to 1024, the number of
/// threads that a block of a GPU may have.
LogicalResult checkBlock(int64_t block, MLIRContext *context);

} // namespace mlir::pool

#endif // POOL_TARGET_RESOLVETARGET_H
