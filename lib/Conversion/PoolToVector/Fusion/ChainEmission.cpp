// Emits fused elementwise operations on vectors of a pooling's results.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fusion/ElementwiseChain.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pool;

/// The first lane's distance from an end of the input is clamped to this number
/// of elements. Then the distances of all lanes fit 32 bits; see getCounts().
constexpr int64_t kMostDistance = 1 << 30;

namespace {
/// Builds the elements of an ElementPlace: a vector, or one element. Values
/// that are equal in all lanes are computed once, as scalars.
///
/// The elements of windows are counted in lanes of 32 bits, because few
/// machines have instructions for lanes of 64 bits. This requires that the
/// Finish allows it, and that there are at most 64 lanes. Then the first lane's
/// distance from an end of the input is computed as a scalar of type index, and
/// clamped to kMostDistance. Otherwise lanes of counts have type index.
class LaneResults : public ResultBuilder {
public:
  LaneResults(KernelBuilder &b, const ElementPlace &place,
              const ElementFacts &facts, Finish::Counts counts,
              bool usesReciprocals)
      : ResultBuilder(b, b.getLoc()),
        usesReciprocals(counts != Finish::Counts::None && place.laneDim &&
                        usesReciprocals),
        place(place), facts(facts),
        isNarrow(counts == Finish::Counts::Narrow && place.laneDim &&
                 place.numLanes <= 64) {
    if (counts == Finish::Counts::None)
      this->facts.countCoordinates.clear();
    this->facts.countCoordinates.resize(place.coordinates.size());
  }

  /// Returns the coordinate of `facts` for `dim`, if there is one. If counts
  /// have 32 bits, returns the coordinate of the first lane instead of a
  /// vector. apply(), applyMin() and applyMax() treat it as the coordinates of
  /// all lanes, until the next call of this function.
  Value getCoordinate(unsigned dim) override {
    lastDim = dim;
    if (Value coordinate = facts.countCoordinates[dim])
      return coordinate;
    Value first = place.coordinates[dim];
    if (!hasOwnLanes(dim) || isNarrow)
      return first;
    if (place.lanesPerStep < place.numLanes)
      return addSteps(first, getIndexType(), dim);
    auto type = VectorType::get(place.numLanes, getIndexType());
    return ElementBuilder::add(first, vector::StepOp::create(*this, type));
  }

  OpFoldResult apply(AffineExpr expr,
                     ArrayRef<OpFoldResult> operands) const override {
    return evaluate(Choice::Min, expr, operands);
  }
  OpFoldResult applyMin(ArrayRef<AffineExpr> exprs,
                        ArrayRef<OpFoldResult> operands) const override {
    return evaluate(Choice::Min, exprs, operands);
  }
  OpFoldResult applyMax(ArrayRef<AffineExpr> exprs,
                        ArrayRef<OpFoldResult> operands) const override {
    return evaluate(Choice::Max, exprs, operands);
  }
  OpFoldResult multiply(OpFoldResult lhs, OpFoldResult rhs) const override {
    return builder.mul(lhs, rhs);
  }

  enum class Choice { Min, Max };
  /// Returns the least or the greatest result of `map`. If `coordinate` is
  /// given, symbol `*coordinate` of `map` is the first lane's coordinate in
  /// dimension `lastDim`. Then the result is a vector of i32 for all lanes.
  Value evaluate(Choice choice, AffineMap map, ValueRange operands,
                 std::optional<unsigned> coordinate = {}) const;

  Value divideByCount(Value sum, Value count) override {
    // The reciprocal is computed once for all elements with the same count. The
    // error bound of averages includes its rounding.
    return usesReciprocals ? mulFloat(sum, divFloat(1, count))
                           : divFloat(sum, count);
  }

  /// Emits a scalar `pow` for each lane that has an output, because no target
  /// has a vector instruction for it. A `pow` of a vector of 512 bits would
  /// even be wrong: if only one lane of the result is used, LLVM 22's X86
  /// backend computes the power of another lane.
  Value power(Value base, Value exponent) {
    base = splatToPlace(base);
    exponent = splatToPlace(exponent);
    Value result = base;
    for (int64_t lane = 0, e = place.getNumExisting().value_or(place.numLanes);
         lane < e; ++lane) {
      Value power = math::PowFOp::create(
          *this, vector::ExtractOp::create(*this, base, lane),
          createOrFold<vector::ExtractOp>(exponent, lane));
      result = vector::InsertOp::create(*this, power, result, lane);
    }
    return result;
  }
  Value power(Value base, double exponent) override {
    if (!isa<VectorType>(base.getType()))
      return ResultBuilder::power(base, exponent);
    return power(base, splat(base.getType(), exponent));
  }

  bool mayLackPosition() override { return !facts.hasPosition; }

  /// True if lanes have different coordinates in `dim`, and no coordinate of
  /// `facts` replaces them.
  bool hasOwnLanes(unsigned dim) const {
    return place.hasLanes(dim) && !facts.countCoordinates[dim];
  }
  /// Returns a vector with the scalar `value` in all lanes. Returns `value`
  /// itself if it is a vector, or if the place is a single element.
  Value splatToPlace(Value value) {
    if (isa<VectorType>(value.getType()) || !place.laneDim)
      return value;
    return splat(place.getType(value.getType()), value);
  }

  const bool usesReciprocals;

private:
  OpFoldResult evaluate(Choice choice, ArrayRef<AffineExpr> exprs,
                        ArrayRef<OpFoldResult> operands) const {
    SmallVector<AffineExpr> symbols;
    SmallVector<Value> values;
    std::optional<unsigned> coordinate;
    for (OpFoldResult operand : operands) {
      if (std::optional<int64_t> known = getConstantIntValue(operand);
          known && isa<Attribute>(operand)) {
        symbols.push_back(number(*known));
        continue;
      }
      Value value = cast<Value>(operand);
      if (isNarrow && hasOwnLanes(lastDim) &&
          value == place.coordinates[lastDim])
        coordinate = values.size();
      else
        assert(!isOfOtherLanes(value) &&
               "a coordinate serves only until the next is asked for");
      symbols.push_back(symbol(values.size()));
      values.push_back(value);
    }
    AffineMap map = simplifyAffineMap(
        getMap(exprs, operands)
            .replaceDimsAndSymbols({}, symbols, 0, values.size()));
    return evaluate(choice, map, values, coordinate);
  }

  /// True if `value` is the first lane's coordinate in another dimension than
  /// `lastDim`, and stands for the coordinates of all lanes there.
  bool isOfOtherLanes(Value value) const {
    return isNarrow &&
           llvm::any_of(llvm::seq<unsigned>(0, place.coordinates.size()),
                        [&](unsigned dim) {
                          return dim != lastDim && hasOwnLanes(dim) &&
                                 value == place.coordinates[dim];
                        });
  }

  /// Returns a vector whose elements have type `element`. Its lane l is `first
  /// + slope * place.getStep(dim, l)`.
  Value addSteps(Value first, Type element, unsigned dim,
                 int64_t slope = 1) const {
    SmallVector<Attribute> steps;
    for (int64_t lane = 0; lane < place.numLanes; ++lane)
      steps.push_back(
          builder.getIntegerAttr(element, slope * place.getStep(dim, lane)));
    auto type = VectorType::get(place.numLanes, element);
    return builder.add(first,
                       builder.constant(DenseElementsAttr::get(type, steps)));
  }

  /// This object, not const: functions of AffineBuilder are const, but have to
  /// create operations.
  LaneResults &builder = *this;
  const ElementPlace &place;
  ElementFacts facts;
  bool isNarrow;
  /// The dimension that getCoordinate() was last called for.
  unsigned lastDim = 0;
};
} // namespace

Value LaneResults::evaluate(Choice choice, AffineMap map, ValueRange operands,
                            std::optional<unsigned> coordinate) const {
  unsigned numDims = map.getNumDims(), numSymbols = map.getNumSymbols();
  ElementBuilder &b = builder;
  std::function<Value(AffineExpr, AffineExpr)> emit =
      [&](AffineExpr expr, AffineExpr lanes) -> Value {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return b.index(constant.getValue());
    if (lanes) {
      AffineExpr slope = simplifyAffineExpr(
          expr.replace(lanes, lanes + 1) - expr, numDims, numSymbols);
      if (auto constant = dyn_cast<AffineConstantExpr>(slope)) {
        Value first = emit(expr, {});
        first = b.max(b.min(first, kMostDistance), -kMostDistance);
        return addSteps(first, b.getI32Type(), lastDim, constant.getValue());
      }
    }
    if (auto operand = dyn_cast<AffineDimExpr>(expr))
      return operands[operand.getPosition()];
    if (auto operand = dyn_cast<AffineSymbolExpr>(expr))
      return operands[numDims + operand.getPosition()];
    auto binary = cast<AffineBinaryOpExpr>(expr);
    Value lhs = emit(binary.getLHS(), lanes);
    Value rhs = emit(binary.getRHS(), lanes);
    switch (binary.getKind()) {
    case AffineExprKind::Add:
      return b.add(lhs, rhs);
    case AffineExprKind::Mul:
      return b.mul(lhs, rhs);
    case AffineExprKind::FloorDiv:
      return b.floorDiv(lhs, rhs);
    case AffineExprKind::CeilDiv:
      return b.fold<arith::CeilDivSIOp>(lhs, rhs);
    default:
      // The last kind is the remainder, whose divisor is always positive.
      return b.sub(lhs, b.mul(b.floorDiv(lhs, rhs), rhs));
    }
  };
  AffineExpr lanes;
  if (coordinate)
    lanes = b.getAffineSymbolExpr(*coordinate);
  Value result;
  for (AffineExpr expr : map.getResults()) {
    Value value = emit(expr, lanes);
    result = !result                 ? value
             : choice == Choice::Min ? b.min(result, value)
                                     : b.max(result, value);
  }
  return result;
}

namespace {
/// Emits the body of one elementwise linalg op, for the elements at `place`.
struct BodyEmitter {
  KernelBuilder &b;
  linalg::LinalgOp op;
  const ElementPlace &place;
  LaneResults &lanes;
  IRMapping mapping = {};

  /// Returns the elements of the op's result. `readOperand` must return the
  /// elements of an operand.
  Value emit(function_ref<Value(OpOperand &)> readOperand) {
    for (OpOperand *operand : op.getDpsInputOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(operand);
      if (!argument.use_empty())
        mapping.map(argument, readOperand(*operand));
    }
    for (Operation &nested : op.getBlock()->without_terminator())
      mapping.map(nested.getResult(0), emit(nested));
    Value result = op.getBlock()->getTerminator()->getOperand(0);
    return lanes.splatToPlace(mapping.lookupOrDefault(result));
  }

private:
  Value emit(Operation &nested) {
    // Values that are defined outside of the body are not in `mapping`. They
    // are equal in all lanes, and stay scalars.
    SmallVector<Value> operands =
        llvm::map_to_vector(nested.getOperands(), [&](Value operand) {
          return mapping.lookupOrDefault(operand);
        });
    if (auto index = dyn_cast<linalg::IndexOp>(nested))
      return lanes.getCoordinate(index.getDim());
    if (isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
            nested))
      return lanes.evaluate(
          isa<affine::AffineMaxOp>(nested) ? LaneResults::Choice::Max
                                           : LaneResults::Choice::Min,
          cast<AffineMapAttr>(nested.getAttr("map")).getValue(), operands);
    if (auto division = dyn_cast<arith::DivFOp>(nested);
        division && lanes.usesReciprocals &&
        !matchPattern(division.getLhs(), m_OneFloat()))
      return lanes.divideByCount(operands[0], operands[1]);

    Type type = nested.getResult(0).getType();
    if (llvm::any_of(operands, [](Value operand) {
          return isa<VectorType>(operand.getType());
        })) {
      if (isa<math::PowFOp>(nested))
        return lanes.power(operands[0], operands[1]);
      for (Value &operand : operands)
        operand = lanes.splatToPlace(operand);
      type = place.getType(type);
    }
    OperationState state(b.getLoc(), nested.getName(), operands, type,
                         nested.getAttrs());
    SmallVector<Value> folded;
    // Fold before the insertion, so that listeners are not notified of an
    // operation that is erased at once.
    Operation *created = Operation::create(state);
    // `folded` is empty if the operation was folded in place.
    if (failed(b.tryFold(created, folded)) || folded.empty())
      return b.insert(created)->getResult(0);
    created->destroy();
    return folded[0];
  }
};
} // namespace

/// Loads the elements of `buffer` that belong to the outputs at `place`. `map`
/// gives the indices of an element for the coordinates of an output. Returns a
/// vector, or a scalar if all lanes have the same element.
static Value readElements(KernelBuilder &b, Value buffer, AffineMap map,
                          const ElementPlace &place) {
  auto hasLanes = [&](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && place.hasLanes(dim.getPosition());
  };
  // A lane without an output loads at index 0, which is always in bounds.
  auto getIndices = [&](int64_t lane, Value exists = {}) {
    auto getIndex = [&](AffineExpr expr) -> Value {
      if (auto constant = dyn_cast<AffineConstantExpr>(expr))
        return b.index(constant.getValue());
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      Value index = b.add(place.coordinates[dim], place.getStep(dim, lane));
      return exists && hasLanes(expr) ? b.select(exists, index, 0) : index;
    };
    return llvm::map_to_vector(map.getResults(), getIndex);
  };
  if (llvm::none_of(map.getResults(), hasLanes))
    return b.load(buffer, getIndices(0));
  auto bufferType = cast<MemRefType>(buffer.getType());
  auto type = VectorType::get(place.numLanes, bufferType.getElementType());
  if (place.lanesPerStep >= place.numLanes &&
      bufferType.isLastDimUnitStride() && hasLanes(map.getResults().back()))
    return castFromSignless(
        b,
        loadLanes(b, place.numLanes, buffer, getIndices(0), place.existing, 0),
        type);
  Value mask = createLaneMask(b, place.numLanes, place.existing);
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < place.numLanes; ++lane) {
    Value exists = mask ? b.createOrFold<vector::ExtractOp>(mask, lane) : mask;
    elements.push_back(b.load(buffer, getIndices(lane, exists)));
  }
  return vector::FromElementsOp::create(b, type, elements);
}

Value ElementwiseChain::emit(KernelBuilder &b, Value value,
                             const ElementPlace &place,
                             const ElementFacts &facts) const {
  Value tensor = start;
  Operation *sums = start.getDefiningOp();
  // With `pool.uniform_sums`, divide: a product with a reciprocal is rounded
  // twice.
  bool usesReciprocals =
      !sums || !sums->hasAttr(PoolDialect::UniformSumsAttrHelper::getNameStr());
  Type element = getElementTypeOrSelf(tensor);
  if (finish) {
    element = finish->elementType;
    LaneResults lanes(b, place, facts, finish->counts, usesReciprocals);
    if (finish->build)
      value = lanes.splatToPlace(finish->build(lanes, value));
  }
  value = castFromSignless(b, value, place.getType(element));
  for (linalg::LinalgOp op : ops) {
    bool dividesByCount =
        op->hasAttr(PoolDialect::DividesByCountAttrHelper::getNameStr());
    LaneResults lanes(b, place, facts,
                      dividesByCount ? Finish::Counts::Wide
                                     : Finish::Counts::None,
                      usesReciprocals);
    value =
        BodyEmitter{b, op, place, lanes}.emit([&](OpOperand &operand) -> Value {
          if (operand.get() == tensor)
            return value;
          if (!isa<TensorType>(operand.get().getType()))
            return operand.get();
          return readElements(b, buffers.lookup(operand.get()),
                              op.getMatchingIndexingMap(&operand), place);
        });
    tensor = op->getResult(0);
  }
  return value;
}
