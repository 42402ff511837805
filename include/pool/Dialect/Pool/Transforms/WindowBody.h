// The arithmetic of windows on elements, which the lowerings of
// pool.window_reduce and of adaptive pooling share. Signed types are computed
// on as signless ones.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_WINDOWBODY_H
#define POOL_DIALECT_POOL_TRANSFORMS_WINDOWBODY_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"

namespace mlir::pool {

/// What the elements of a window are reduced by.
struct ElementReduction {
  ElementReduction(Reduction kind, Type inputType, Type accType)
      : kind(kind), inputType(inputType), accType(accType) {}
  /// That of an operation.
  ElementReduction(WindowReduceOp op);

  Reduction kind;
  /// Of elements as the input stores them, and of the first output's.
  Type inputType, accType;
  NanMode nanMode = NanMode::Ignore;
  /// Padding is never chosen where there is none.
  std::optional<PadValue> padValue;
  /// The exponent of a sum of powers.
  int64_t p = 1;
  bool hasPositions = false;

  bool isExtremum() const { return pool::isExtremum(kind); }
  Preference getPreference() const { return {kind, inputType, nanMode}; }
};

/// Where the accumulator of the first output begins, of its signless type. The
/// positions begin as kNoPosition.
TypedAttr getWindowIdentity(OpBuilder &b, const ElementReduction &reduction);

/// What padding counts as, of the input's signless element type.
TypedAttr getWindowPadding(OpBuilder &b, const ElementReduction &reduction);

/// What an element of the input adds to a window, `element` as stored; of the
/// first output's signless type. Here and below, values may be vectors of
/// elements.
Value prepareElement(OpBuilder &b, Location loc,
                     const ElementReduction &reduction, Value element);

/// The reduction of two prepared elements. Of `acc` alone a NaN is kept that is
/// to be ignored. Positions are not followed.
Value combineElements(OpBuilder &b, Location loc,
                      const ElementReduction &reduction, Value element,
                      Value acc);

/// The accumulator after an element of the input, as stored.
Value accumulateElement(OpBuilder &b, Location loc,
                        const ElementReduction &reduction, Value element,
                        Value acc);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_TRANSFORMS_WINDOWBODY_H
