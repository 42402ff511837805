// Remarks of the conversions. They name the result for an operation, and the
// reason if a better result was impossible. Their category is the name of the
// pass (`--remarks-filter`).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_REMARKS_H
#define POOL_LIB_CONVERSION_REMARKS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/Twine.h"

namespace mlir::pool {

/// Reports that `op` was raised to `into`. `reason`, if not empty, says why a
/// part of `op` stays, or why there is no better operation.
void remarkRaised(StringRef pass, Operation *op, StringRef into,
                  const Twine &reason = "");
/// Reports why `op` stays.
void remarkLeftAlone(StringRef pass, Operation *op, const Twine &reason);
/// Reports that `op` was lowered to `into`. `reason`, if not empty, says why
/// the lowering is not more specific.
void remarkLowered(StringRef pass, Operation *op, StringRef into,
                   const Twine &reason = "");

/// Reports the plan by which `op` is lowered, and the reason for the choice.
/// Calls `getPlan` only if somebody listens.
void remarkPlanned(StringRef pass, Operation *op,
                   function_ref<Attribute()> getPlan, const Twine &reason);
/// Reports why a strategy was not chosen for `op`.
void remarkRejected(StringRef pass, Operation *op, StringRef strategy,
                    const Twine &reason);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_REMARKS_H
