// Helpers of the passes that raise other dialects to pooling operations. They
// infer result types with the error message as a string, and erase operations
// that are unused after the raising.
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

/// Returns the type of the values that a max_pool or min_pool of `input`
/// returns. `reduction` chooses between the two. If `indexElementType` is not
/// null, the pooling also returns indices of this type, and an input with too
/// many elements for them is an error. On failure, sets `reason` to the
/// violated constraint.
FailureOr<RankedTensorType>
inferExtremumPool(RankedTensorType input, const OwnedWindow &window,
                  Reduction reduction, const ExtremumModes &modes,
                  std::string &reason, Type indexElementType = {});

/// Returns the result type of an avg_pool of `input`. On failure, sets `reason`
/// to the violated constraint. For example, the number of elements that the
/// divisor counts must be at least 1 in every window whose extents are known.
FailureOr<RankedTensorType> inferAvgPool(RankedTensorType input,
                                         const OwnedWindow &window,
                                         const AverageModes &modes,
                                         std::string &reason);

/// Listener that collects operations which may be dead after replacements: the
/// replaced operations and the producers of their operands. erase() then erases
/// the dead ones.
class DeadProducers : public RewriterBase::Listener {
public:
  void notifyOperationReplaced(Operation *op, ValueRange) override;
  void notifyOperationErased(Operation *op) override;
  /// Erases the collected operations that are dead, and producers that become
  /// dead by that. An unregistered operation is erased only if it is unused and
  /// `isPure` returns true for it, which must mean that it has no side effects.
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
