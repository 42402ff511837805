// What operations weigh where strategies choose between plans.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_TARGET_COSTS_H
#define POOL_TARGET_COSTS_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::pool {

/// The weights, in operations on vectors unless they say otherwise. They
/// decide how fast code is, never what it computes.
struct Costs {
#define POOL_COST(field, option, value) double field = value;
#include "pool/Target/Costs.def"

  /// These, but for what `options` names, each as `loop-ops:12`. Fails, with
  /// the option in the message, if no weight has the name, or the value is no
  /// number, negative or not finite.
  static llvm::Expected<Costs> parse(ArrayRef<std::string> options);
};

} // namespace mlir::pool

#endif // POOL_TARGET_COSTS_H
