// Emits the remarks of convert-pool-to-linalg.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOLINALG_LOWERED_H
#define POOL_LIB_CONVERSION_POOLTOLINALG_LOWERED_H

#include "Remarks.h"

namespace mlir::pool {

/// Calls remarkLowered() of Remarks.h for the pass convert-pool-to-linalg.
inline void remarkLowered(Operation *op, StringRef into,
                          const Twine &reason = "") {
  remarkLowered("convert-pool-to-linalg", op, into, reason);
}

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOLINALG_LOWERED_H
