// What the conversions that raise to the pool dialect share: windows that own
// their lists, the operations built from them, and the removal of what a raised
// operation no longer needs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_RAISING_H
#define POOL_LIB_CONVERSION_RAISING_H

#include "Remarks.h"

#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::pool {

/// WindowAttrs that owns its lists; one entry for each spatial dimension, none
/// absent. Pads are explicit.
struct OwnedWindow {
  SmallVector<int64_t> kernel, strides, dilations, padsBegin, padsEnd;
  RoundingType rounding = RoundingType::Floor;
  Layout layout = Layout::ChannelsFirst;

  /// A window of `kernel` with the defaults for all else.
  static OwnedWindow get(ArrayRef<int64_t> kernel, Layout layout);

  /// The same as views, as long as this object lives.
  WindowAttrs getAttrs() const;
  bool hasPadding() const;
};

/// True if pooling operations take tensors of `type`.
bool isPoolElementType(Type type);

/// The result type of a maximum over `window`, or failure with the violated
/// constraint in `reason`.
FailureOr<RankedTensorType> inferMaxPool(RankedTensorType input,
                                         const OwnedWindow &window,
                                         PadValue padValue,
                                         std::string &reason);

/// What avg_pool has besides its window.
struct AverageAttrs {
  Divisor divisor = Divisor::Valid;
  std::optional<int64_t> divisorOverride;
  IntegerRounding integerRounding = IntegerRounding::HalfEven;
  int64_t inputZp = 0;
  int64_t outputZp = 0;
};

/// The same for an average.
FailureOr<RankedTensorType> inferAvgPool(RankedTensorType input,
                                         const OwnedWindow &window,
                                         const AverageAttrs &attrs,
                                         std::string &reason);

/// Build an operation whose type was inferred as above. Lists that say nothing
/// but the default are left out.
Value createMaxPool(OpBuilder &b, Location loc, Value input,
                    const OwnedWindow &window, PadValue padValue,
                    NanMode nanMode);
Value createAvgPool(OpBuilder &b, Location loc, Value input,
                    const OwnedWindow &window, const AverageAttrs &attrs);

/// Collects what replaced operations used, and erases what of it is dead.
class DeadProducers : public RewriterBase::Listener {
public:
  void notifyOperationReplaced(Operation *op, ValueRange) override;
  void notifyOperationErased(Operation *op) override;
  void erase();
  /// Number of operations that were replaced.
  unsigned getNumReplaced() const { return numReplaced; }

private:
  void collectProducers(Operation *op);

  llvm::SetVector<Operation *> producers;
  unsigned numReplaced = 0;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_RAISING_H
