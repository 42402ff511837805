// Remarks of the conversion passes. A remark says what an operation became. If
// a better result was impossible, it also says why. Its category is the name of
// the pass, so that `--remarks-filter` can select it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_REMARKS_H
#define POOL_LIB_CONVERSION_REMARKS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/Twine.h"

namespace mlir::pool {

/// Reports that `op` was raised to `into`. If `reason` is not empty, it says
/// why the tensor.pad of the input stays, or why `op` was not raised to a more
/// specific operation.
void remarkRaised(StringRef pass, Operation *op, StringRef into,
                  const Twine &reason = "");
/// Reports that `pass` does not convert `op`, and the reason.
void remarkLeftAlone(StringRef pass, Operation *op, const Twine &reason);
/// Reports that `op` was lowered to `into`. If `reason` is not empty, it says
/// why `op` was not lowered to a more specific operation.
void remarkLowered(StringRef pass, Operation *op, StringRef into,
                   const Twine &reason = "");

/// Reports the plan by which `op` is lowered, and the reason for the choice.
/// Calls `getPlan` only if remarks of this kind are enabled.
void remarkPlanned(StringRef pass, Operation *op,
                   function_ref<Attribute()> getPlan, const Twine &reason);
/// Reports why a strategy was not chosen for `op`.
void remarkRejected(StringRef pass, Operation *op, StringRef strategy,
                    const Twine &reason);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_REMARKS_H
