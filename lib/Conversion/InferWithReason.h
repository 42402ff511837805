// Helpers of the conversions that raise to the pool dialect: type inference
// that returns its error message, and removal of dead producers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_INFERWITHREASON_H
#define POOL_LIB_CONVERSION_INFERWITHREASON_H

#include "Remarks.h"

#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::pool {

/// Returns the result type of an extremum over `window`, which has indices of
/// `indexElementType` unless that is null. On failure, `reason` is the violated
/// constraint.
FailureOr<RankedTensorType>
inferExtremumPool(RankedTensorType input, const OwnedWindow &window,
                  Reduction reduction, const ExtremumModes &modes,
                  std::string &reason, Type indexElementType = {});

/// Returns the result type of an average over `window`; fails as
/// inferExtremumPool does.
FailureOr<RankedTensorType> inferAvgPool(RankedTensorType input,
                                         const OwnedWindow &window,
                                         const AverageModes &modes,
                                         std::string &reason);

/// Collects the producers of replaced operations, and erases the dead ones.
class DeadProducers : public RewriterBase::Listener {
public:
  void notifyOperationReplaced(Operation *op, ValueRange) override;
  void notifyOperationErased(Operation *op) override;
  /// Erases the dead producers. `isPure` tells which unregistered operations
  /// have no effects.
  void erase(llvm::function_ref<bool(Operation *)> isPure = {});
  /// Number of replaced operations.
  unsigned getNumReplaced() const { return numReplaced; }

private:
  void collectProducers(Operation *op);

  llvm::SetVector<Operation *> producers;
  unsigned numReplaced = 0;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_INFERWITHREASON_H
