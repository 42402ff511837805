// The machine that options of passes and pipelines name.
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

/// The machine of the options `target`, `mcpu` and `mattr`, which `names`
/// holds, and `vector-bits`, which, unless it is 0, says how many bits its
/// registers have. Where it stands alone it makes a generic machine, and where
/// nothing is named the machine is `Target()`. Errors, which have no place in
/// the IR, name the options and their values.
FailureOr<Target> resolveTarget(const TargetNames &names, int64_t vectorBits,
                                MLIRContext *context);

} // namespace mlir::pool

#endif // POOL_TARGET_RESOLVETARGET_H
