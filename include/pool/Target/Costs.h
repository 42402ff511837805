// Weights of the cost model, by which strategies choose between plans.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_TARGET_COSTS_H
#define POOL_TARGET_COSTS_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::pool {

/// The weights of Costs.def. Each is a time in vector operations, unless
/// Costs.def says otherwise. Weights only decide which plan is chosen, so they
/// affect the speed of code but not its results.
struct Costs {
#define POOL_COST(field, option, value) double field = value;
#include "pool/Target/Costs.def"

  /// Returns the default weights, except for those that `options` replace. An
  /// option is a name and a value, such as `loop-ops:12`. Fails if there is no
  /// weight of this name, or if the value is negative or not a finite number.
  /// The error names the option.
  static llvm::Expected<Costs> parse(ArrayRef<std::string> options);
};

} // namespace mlir::pool

#endif // POOL_TARGET_COSTS_H
