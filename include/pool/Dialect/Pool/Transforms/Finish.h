// Builds the finish of pooling: the last step, which computes an element of the
// result from the reduction of its window.
//
//   operation               reduction          finish
//   avg_pool                sum                sum / count
//   lp_pool                 sum of |x|^p       sum^(1/p)
//   max_pool, min_pool      maximum, minimum   none
//     and their indices     position           index from position
//
// The same functions build a finish in the body of an elementwise linalg op and
// on the vectors of vector code.
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

/// Builds the finish of one element of a result, or of a vector of neighboring
/// elements, which are called the current elements. Use the functions of
/// AffineBuilder to compute with their coordinates.
class ResultBuilder : public ElementBuilder, public AffineBuilder {
public:
  ResultBuilder(const OpBuilder &b, Location loc)
      : ElementBuilder(b, loc),
        AffineBuilder(static_cast<ElementBuilder &>(*this), loc) {}

  /// Returns the coordinate of the current elements in dimension `d` of the
  /// whole output: an index, or a vector of them. If Finish::counts is not
  /// None, vector code may return a placeholder instead, such as the coordinate
  /// of the first lane. So in that case, pass the result only to functions of
  /// AffineBuilder, and before the next call of getCoordinate().
  virtual Value getCoordinate(unsigned d) = 0;
  /// Returns `sum / count`. Vector code may override it to multiply by a
  /// reciprocal. The result may then differ in the last bits, which the error
  /// bound of averages allows.
  virtual Value divideByCount(Value sum, Value count) {
    return divFloat(sum, count);
  }
  virtual Value power(Value base, double exponent);
  /// True if the reduction may have chosen no element in a window, so that the
  /// position is kNoPosition.
  virtual bool mayLackPosition() { return true; }
};

/// Says how the elements of one result are computed.
struct Finish {
  /// The element type of the result; for a quantized one, the signless form of
  /// its storage type.
  Type elementType;
  /// Says what `build` uses coordinates for. Wide and Narrow: only to count the
  /// positions of windows. With Narrow, 32-bit integers suffice for these
  /// counts. None: for other purposes, or not at all.
  enum class Counts { None, Wide, Narrow } counts = Counts::None;
  /// Builds elements of the signless form of `elementType` from `reduced`,
  /// results of the reduction, which are signless too. If this is null, the
  /// results of the reduction are the elements.
  std::function<Value(ResultBuilder &b, Value reduced)> build = {};
};

/// Returns Narrow if 32-bit integers can count the positions of the windows of
/// `dims`, else Wide.
Finish::Counts getCounts(ArrayRef<SymbolicDim> dims);

/// The extents of the input of an operation: of all dimensions in `inputShape`,
/// and with the windows of the spatial dimensions in `dims`.
template <typename DimT>
struct InputExtents {
  SmallVector<OpFoldResult> inputShape;
  SmallVector<DimT> dims;
};
using WindowExtents = InputExtents<SymbolicDim>;
using AdaptiveExtents = InputExtents<SymbolicAdaptiveDim>;

/// Returns the finish of each result of `op`. `extents` has the extents of the
/// input of `op`. This creates no operations; calling Finish::build does.
SmallVector<Finish> getFinishes(WindowOpInterface op,
                                const WindowExtents &extents);
SmallVector<Finish> getFinishes(AdaptiveOpInterface op,
                                const AdaptiveExtents &extents);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_TRANSFORMS_FINISH_H
