// Arithmetic on the elements of a window, shared by the lowerings of
// pool.window_reduce and of adaptive pooling. Signed types are computed as
// signless ones.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_WINDOWBODY_H
#define POOL_DIALECT_POOL_TRANSFORMS_WINDOWBODY_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"

namespace mlir::pool {

/// The properties of a pooling that decide how the elements of a window are
/// reduced.
struct ElementReduction {
  ElementReduction(Reduction kind, Type inputType, Type accType)
      : kind(kind), inputType(inputType), accType(accType) {}
  /// Reads the properties of `op`.
  ElementReduction(WindowReduceOp op);

  Reduction kind;
  /// `inputType` is the element type of the input as stored, `accType` that of
  /// the first output.
  Type inputType, accType;
  NanMode nanMode = NanMode::Ignore;
  /// The value of padding; none if there is no padding or padding is never
  /// chosen.
  std::optional<PadValue> padValue;
  /// The exponent of a sum of powers.
  int64_t p = 1;
  bool hasPositions = false;
  /// Upper bound of the number of elements of a window; none if it is unknown.
  std::optional<int64_t> maxCount;

  bool isExtremum() const { return pool::isExtremum(kind); }
  Preference getPreference() const { return {kind, inputType, nanMode}; }
};

/// Returns the initial value of the accumulator of the first output, in the
/// signless form of `accType`. (The accumulator of positions starts as
/// kNoPosition.)
TypedAttr getWindowIdentity(OpBuilder &b, const ElementReduction &reduction);

/// Returns the value that padding counts as, in the signless form of
/// `inputType`.
TypedAttr getWindowPadding(OpBuilder &b, const ElementReduction &reduction);

/// Converts an element as the input stores it to the term that it adds to the
/// accumulator, in the signless form of `accType`. Here and below, values may
/// be vectors of elements.
Value prepareElement(OpBuilder &b, Location loc,
                     const ElementReduction &reduction, Value element);

/// Returns `acc` combined with `element`, which prepareElement has converted.
/// If NaNs are ignored, a NaN in `element` has no effect, but a NaN in `acc`
/// stays. Does not track positions.
Value combineElements(OpBuilder &b, Location loc,
                      const ElementReduction &reduction, Value element,
                      Value acc);

/// Returns `acc` combined with `element`, which is as the input stores it.
Value accumulateElement(OpBuilder &b, Location loc,
                        const ElementReduction &reduction, Value element,
                        Value acc);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_TRANSFORMS_WINDOWBODY_H
