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

/// Returns the machine for the options `target`, `mcpu` and `mattr` in `names`.
/// `vectorBits`, the option `vector-bits`, overrides its register width unless
/// it is 0. With `vectorBits` alone the machine is generic; without any option
/// it is `Target()`. Errors have no location in the IR; they name the options
/// and their values.
FailureOr<Target> resolveTarget(const TargetNames &names, int64_t vectorBits,
                                MLIRContext *context);

} // namespace mlir::pool

#endif // POOL_TARGET_RESOLVETARGET_H
