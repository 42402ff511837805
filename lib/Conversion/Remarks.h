// Remarks of the conversions: what became of an operation, and why not
// something better. Their category is the name of the pass
// (`--remarks-filter`).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_REMARKS_H
#define POOL_LIB_CONVERSION_REMARKS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/Twine.h"

namespace mlir::pool {

/// What `op` was raised to, with the reason why something of it stays, if it
/// does.
void remarkRaised(StringRef pass, Operation *op, StringRef into,
                  const Twine &reason = "");
/// Why `op` was left alone.
void remarkLeftAlone(StringRef pass, Operation *op, const Twine &reason);
/// What `op` was lowered to, with the reason why not to something more
/// specific, if there is one.
void remarkLowered(StringRef pass, Operation *op, StringRef into,
                   const Twine &reason = "");

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_REMARKS_H
