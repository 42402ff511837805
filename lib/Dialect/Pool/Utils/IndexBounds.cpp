// Proves bounds of index values.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/IndexBounds.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "pool/Dialect/Pool/Utils/ElementBuilder.h"

using namespace mlir;
using namespace mlir::pool;

/// True if dimension `dim` of `value` is an extent of the result of an
/// elementwise operation on tensors. `dim` is none if `value` is an index.
static bool isTensorArithmetic(Value value, std::optional<int64_t> dim) {
  Operation *op = value.getDefiningOp();
  return dim && op && OpTrait::hasElementwiseMappableTraits(op);
}

namespace {
/// Value bounds with two restrictions. The extents of elementwise results count
/// as unknown, because upstream's analysis crashes on them. Values after the
/// first `kMaxValues` also count as unknown: in a chain of operations, the tile
/// of each operation depends on the tiles of all later ones, and the time of
/// proofs would grow with the fourth power of the chain's length.
class TensorBounds : public ValueBoundsConstraintSet {
public:
  explicit TensorBounds(MLIRContext *context)
      : ValueBoundsConstraintSet(context, [this](Value value,
                                                 std::optional<int64_t> dim,
                                                 ValueBoundsConstraintSet &) {
          return ++numValues > kMaxValues || isTensorArithmetic(value, dim);
        }) {}

private:
  static constexpr unsigned kMaxValues = 16;
  unsigned numValues = 0;
};
} // namespace

bool pool::isProven(const ValueBoundsConstraintSet::Variable &lhs,
                    ValueBoundsConstraintSet::ComparisonOperator cmp,
                    const ValueBoundsConstraintSet::Variable &rhs) {
  return TensorBounds(lhs.getContext()).populateAndCompare(lhs, cmp, rhs);
}

/// True if it is proved that `expr` is at least 1. Symbol i of `expr` stands
/// for `operands[i]`.
///
/// Upstream's value bounds have no lower bound of an affine.min and no upper
/// bound of an affine.max. But each of these equals one of the results of its
/// map. So this function replaces the minimum or maximum by each of these
/// results in turn, and proves that `expr` is at least 1 each time. `numTries`
/// is the number of proofs that may still be tried, and is decreased. To save
/// proofs, a minimum is replaced only if a larger minimum may make `expr`
/// larger, and a maximum only if a larger maximum may make `expr` smaller.
static bool isExprAtLeastOne(AffineExpr expr, ValueRange operands,
                             unsigned &numTries) {
  using Bounds = ValueBoundsConstraintSet;
  if (numTries == 0)
    return false;
  --numTries;
  MLIRContext *context = expr.getContext();
  AffineMap map = AffineMap::get(0, operands.size(), expr);
  SmallVector<Value> composed = llvm::to_vector(operands);
  affine::fullyComposeAffineMapAndOperands(&map, &composed);
  affine::canonicalizeMapAndOperands(&map, &composed);
  if (isProven({map, composed}, Bounds::GE,
               OpFoldResult(Builder(context).getIndexAttr(1))))
    return true;
  unsigned numOuter = composed.size();
  // A linear expression has a coefficient for each operand, and a constant.
  // Further coefficients mean that there are divisions. Call isPureAffine()
  // first, because getFlattenedAffineExpr() crashes on a product of operands.
  SmallVector<int64_t> coefficients;
  bool isLinear =
      map.getResult(0).isPureAffine() &&
      succeeded(getFlattenedAffineExpr(map.getResult(0), map.getNumDims(),
                                       map.getNumSymbols(), &coefficients)) &&
      coefficients.size() == numOuter + 1;
  for (unsigned i = 0; i < numOuter; ++i) {
    Operation *op = composed[i].getDefiningOp();
    AffineMap results;
    if (auto min = dyn_cast_if_present<affine::AffineMinOp>(op);
        min && (!isLinear || coefficients[i] > 0))
      results = min.getAffineMap();
    else if (auto max = dyn_cast_if_present<affine::AffineMaxOp>(op);
             max && (!isLinear || coefficients[i] < 0))
      results = max.getAffineMap();
    else
      continue;
    // The first symbols of the new expression stand for the operands of `map`.
    // The others stand for the operands of the minimum or maximum.
    auto getSymbols = [&](unsigned first, unsigned count) {
      return llvm::map_to_vector(
          llvm::seq(first, first + count),
          [&](unsigned s) { return getAffineSymbolExpr(s, context); });
    };
    SmallVector<AffineExpr> outer = getSymbols(0, numOuter);
    SmallVector<AffineExpr> inner =
        getSymbols(numOuter, results.getNumInputs());
    SmallVector<Value> all = composed;
    llvm::append_range(all, op->getOperands());
    return llvm::all_of(results.getResults(), [&](AffineExpr result) {
      ArrayRef<AffineExpr> symbols = inner;
      outer[i] = result.replaceDimsAndSymbols(
          symbols.take_front(results.getNumDims()),
          symbols.drop_front(results.getNumDims()));
      ArrayRef<AffineExpr> inputs = outer;
      return isExprAtLeastOne(map.getResult(0).replaceDimsAndSymbols(
                                  inputs.take_front(map.getNumDims()),
                                  inputs.drop_front(map.getNumDims())),
                              all, numTries);
    });
  }
  return false;
}

/// True if it is proved that `expr` is at least 1. Symbol 0 of `expr` stands
/// for `value`.
static bool isExprAtLeastOne(AffineExpr expr, Value value) {
  // 16 tries are enough for tiles of a producer, whose sizes are nested minima.
  unsigned numTries = 16;
  return isExprAtLeastOne(expr, value, numTries);
}

bool pool::isAtLeast(OpFoldResult value, int64_t bound) {
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return *known >= bound;
  AffineExpr symbol = getAffineSymbolExpr(0, value.getContext());
  return isExprAtLeastOne(symbol - bound + 1, cast<Value>(value));
}

bool pool::isAtMost(OpFoldResult value, int64_t bound) {
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return *known <= bound;
  AffineExpr symbol = getAffineSymbolExpr(0, value.getContext());
  return isExprAtLeastOne(bound + 1 - symbol, cast<Value>(value));
}

Value pool::createProductFits(OpBuilder &builder, Location loc,
                              ArrayRef<OpFoldResult> extents, int64_t limit) {
  // Divide the limit by the extents instead of multiplying the extents, since a
  // product may wrap around. Static extents divide the limit at compile time,
  // so a single dynamic extent needs only one comparison. If one extent is too
  // large, the condition is false, whatever the later comparisons give.
  ElementBuilder b(builder, loc);
  Value product, fits;
  for (OpFoldResult extent : extents)
    if (isa<Attribute>(extent))
      limit /= std::max<int64_t>(*getConstantIntValue(extent), 1);
  for (OpFoldResult extent : extents) {
    auto factor = dyn_cast<Value>(extent);
    if (!factor)
      continue;
    Value room = b.index(limit);
    if (product)
      room = b.divUnsigned(room, b.fold<arith::MaxUIOp>(product, 1));
    fits = b.both(fits, b.compare(arith::CmpIPredicate::ule, factor, room));
    product = product ? b.mul(product, factor) : factor;
  }
  return fits;
}
