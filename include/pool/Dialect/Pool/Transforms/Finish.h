// The last step of pooling: how elements of a result are computed from what
// their windows reduce to. One function serves the body of an elementwise
// linalg op, and vectors in a kernel.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_TRANSFORMS_FINISH_H
#define POOL_DIALECT_POOL_TRANSFORMS_FINISH_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/ElementBuilder.h"
#include "pool/Dialect/Pool/Utils/SymbolicAdaptiveRules.h"
#include "pool/Dialect/Pool/Utils/SymbolicWindowRules.h"

#include <functional>

namespace mlir::pool {

/// Builds one element of a result, or a vector of neighbouring elements. As an
/// AffineBuilder, it takes coordinates of these elements.
class ResultBuilder : public ElementBuilder, public AffineBuilder {
public:
  ResultBuilder(const OpBuilder &b, Location loc)
      : ElementBuilder(b, loc),
        AffineBuilder(static_cast<ElementBuilder &>(*this), loc) {}

  /// Returns the elements' coordinate in dimension `d` of the whole output: an
  /// index, or a vector of them. If the Finish counts, the value may be another
  /// one, which only the functions of AffineBuilder take, before the next call.
  virtual Value getCoordinate(unsigned d) = 0;
  /// Returns `sum / count`. Lanes are multiplied by a reciprocal where the
  /// operation allows for its rounding.
  virtual Value divideByCount(Value sum, Value count) {
    return divFloat(sum, count);
  }
  virtual Value power(Value base, double exponent);
  /// True if a window may have chosen no element: its position is kNoPosition.
  virtual bool mayLackPosition() { return true; }
};

/// How elements of one result are computed.
struct Finish {
  /// The element type of the result; for a quantised one, the signless form of
  /// its storage type.
  Type elementType;
  /// Whether coordinates serve only to count positions of windows, and whether
  /// lanes of 32 bits can do that.
  enum class Counts { None, Wide, Narrow } counts = Counts::None;
  /// Returns elements of the signless form of `elementType`. `reduced` are
  /// elements of the reduction, of signless type too. If there is no function,
  /// these are the result.
  std::function<Value(ResultBuilder &b, Value reduced)> build = {};
};

/// Returns how lanes can count positions of the windows of `dims`.
Finish::Counts getCounts(ArrayRef<SymbolicDim> dims);

/// The input of an operation and its spatial dimensions, as values.
template <typename DimT>
struct InputExtents {
  SmallVector<OpFoldResult> inputShape;
  SmallVector<DimT> dims;
};
using WindowExtents = InputExtents<SymbolicDim>;
using AdaptiveExtents = InputExtents<SymbolicAdaptiveDim>;

/// Returns the last step of each result of `op`: a division, a root or an
/// index. `extents` has the extents of the operation's input. Nothing is built
/// before a step is called.
SmallVector<Finish> getFinishes(WindowOpInterface op,
                                const WindowExtents &extents);
SmallVector<Finish> getFinishes(AdaptiveOpInterface op,
                                const AdaptiveExtents &extents);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_TRANSFORMS_FINISH_H
