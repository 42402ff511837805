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

/// The reduction of a window's elements.
struct ElementReduction {
  ElementReduction(Reduction kind, Type inputType, Type accType)
      : kind(kind), inputType(inputType), accType(accType) {}
  /// Returns the reduction of an operation.
  ElementReduction(WindowReduceOp op);

  Reduction kind;
  /// Element types of the input as stored, and of the first output.
  Type inputType, accType;
  NanMode nanMode = NanMode::Ignore;
  /// The value of padding; none if there is no padding or it is never chosen.
  std::optional<PadValue> padValue;
  /// The exponent of a sum of powers.
  int64_t p = 1;
  bool hasPositions = false;
  /// Upper bound of the number of elements of a window, if there is one.
  std::optional<int64_t> maxCount;

  bool isExtremum() const { return pool::isExtremum(kind); }
  Preference getPreference() const { return {kind, inputType, nanMode}; }
};

/// Returns the initial value of the first output's accumulator, of its signless
/// type. Positions start as kNoPosition.
TypedAttr getWindowIdentity(OpBuilder &b, const ElementReduction &reduction);

/// Returns the value that padding counts as, of the input's signless element
/// type.
TypedAttr getWindowPadding(OpBuilder &b, const ElementReduction &reduction);

/// Converts `element`, as the input stores it, to the term that it adds to a
/// window, of the first output's signless type. Here and below, values may be
/// vectors of elements.
Value prepareElement(OpBuilder &b, Location loc,
                     const ElementReduction &reduction, Value element);

/// Reduces two prepared elements. An ignored NaN survives only in `acc`. Does
/// not track positions.
Value combineElements(OpBuilder &b, Location loc,
                      const ElementReduction &reduction, Value element,
                      Value acc);

/// Returns the accumulator after an element of the input, given as stored.
Value accumulateElement(OpBuilder &b, Location loc,
                        const ElementReduction &reduction, Value element,
                        Value acc);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_TRANSFORMS_WINDOWBODY_H
