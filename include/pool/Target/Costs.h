// Weights of the cost model by which strategies choose between plans.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_TARGET_COSTS_H
#define POOL_TARGET_COSTS_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::pool {

/// The weights, in vector operations unless stated otherwise. They decide how
/// fast code is, never its results.
struct Costs {
#define POOL_COST(field, option, value) double field = value;
#include "pool/Target/Costs.def"

  /// Returns the default weights with the replacements in `options`, each like
  /// `loop-ops:12`. Fails, with the option in the message, if no weight has the
  /// name, or if the value is not a number, negative or not finite.
  static llvm::Expected<Costs> parse(ArrayRef<std::string> options);
};

} // namespace mlir::pool

#endif // POOL_TARGET_COSTS_H
