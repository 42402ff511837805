// Weights of the cost model, which strategies use to choose between plans.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_TARGET_COSTS_H
#define POOL_TARGET_COSTS_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::pool {

/// The weights of Costs.def. Each is a time in vector operations, unless
/// Costs.def states otherwise. The weights affect which plan is chosen, and so
/// how fast code is.
struct Costs {
#define POOL_COST(field, option, value) double field = value;
#include "pool/Target/Costs.def"

  /// Returns the default weights, with those in `options` replaced. An option
  /// is a name and a value, like `loop-ops:12`. Fails if no weight has the
  /// name, or if the value is no finite number of at least 0. The error names
  /// the option.
  static llvm::Expected<Costs> parse(ArrayRef<std::string> options);
};

} // namespace mlir::pool

#endif // POOL_TARGET_COSTS_H
