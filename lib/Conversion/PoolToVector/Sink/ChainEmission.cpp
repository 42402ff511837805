// Emits elementwise operations on the vectors of a pooling's results.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sink/ElementwiseChain.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::pool;

/// True if `op` compares the first argument of its body, a position, with
/// kNoPosition.
static bool asksForNoPosition(Operation &op) {
  auto compare = dyn_cast<arith::CmpIOp>(op);
  return compare && compare.getPredicate() == arith::CmpIPredicate::eq &&
         compare.getLhs() == op.getBlock()->getArgument(0) &&
         isConstantIntValue(compare.getRhs(), kNoPosition);
}

/// Limits of the first lane of bounds, and of constants in them. A lane differs
/// from the first one by at most 64 such constants, so sums fit 32 bits.
constexpr int64_t kMostBound = 1 << 30, kMostConstant = 1 << 23;

/// Returns the map of an affine application, minimum or maximum.
static AffineMap getAffineMap(Operation &op) {
  return cast<AffineMapAttr>(op.getAttr("map")).getValue();
}

/// True if lanes of 32 bits hold the minimum or maximum `op`: of one coordinate
/// and values from outside, or of counts.
static bool isNarrowBound(Operation &op) {
  auto isCoordinate = [](Value v) {
    return v.getDefiningOp<linalg::IndexOp>();
  };
  auto isInside = [&](Value v) { return v.getParentBlock() == op.getBlock(); };
  int64_t most =
      llvm::any_of(op.getOperands(), isCoordinate) ? 1 : op.getNumOperands();
  int64_t numInside = llvm::count_if(op.getOperands(), isInside);
  if (numInside != 0 && numInside != most)
    return false;
  int64_t constant = 0, divisor = 1;
  bool isNarrow = true;
  simplifyAffineMap(getAffineMap(op)).walkExprs([&](AffineExpr expr) {
    if (auto known = dyn_cast<AffineConstantExpr>(expr))
      constant = std::max(constant, std::abs(known.getValue()));
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary || binary.getKind() == AffineExprKind::Add)
      return;
    auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    isNarrow &= factor && binary.getKind() != AffineExprKind::Mod;
    if (isNarrow && binary.getKind() != AffineExprKind::Mul)
      divisor = std::max(divisor, factor.getValue());
  });
  // A quotient of the limit must not be less than another bound, the kernel.
  return isNarrow && constant <= kMostConstant &&
         constant * divisor <= kMostBound;
}

/// True if `op` counts positions of windows in lanes of 32 bits: if all its
/// indices are bounds of its coordinates, constants, and products that it
/// converts to at most 32 bits.
static bool countsInNarrowLanes(linalg::LinalgOp op) {
  auto isNarrow = [&](Operation &nested) {
    if (isa<affine::AffineMinOp, affine::AffineMaxOp>(nested))
      return isNarrowBound(nested);
    if (isa<linalg::IndexOp>(nested))
      return llvm::all_of(
          nested.getUsers(),
          llvm::IsaPred<affine::AffineMinOp, affine::AffineMaxOp>);
    if (auto cast = dyn_cast<arith::IndexCastOp>(nested))
      return cast.getType().isInteger() &&
             cast.getType().getIntOrFloatBitWidth() <= 32;
    return isa<arith::MulIOp, arith::ConstantOp>(nested);
  };
  auto isIndex = [](Value v) { return getElementTypeOrSelf(v).isIndex(); };
  return llvm::all_of(op.getBlock()->without_terminator(),
                      [&](Operation &nested) {
                        return isNarrow(nested) ||
                               (llvm::none_of(nested.getOperands(), isIndex) &&
                                !isIndex(nested.getResult(0)));
                      });
}

namespace {
/// Emits the body of one elementwise op. Values that are the same in all lanes
/// are computed once, as scalars.
///
/// If `isNarrow`, lanes of counts have 32 bits, because few machines have
/// instructions for lanes of 64; otherwise they are of type index. With 32
/// bits, the first lane's bounds are computed in 64 bits and then limited. The
/// limit changes no count; see isNarrowBound().
struct BodyEmitter {
  KernelBuilder &at;
  linalg::LinalgOp op;
  const ElementPlace &place;
  const ElementFacts &facts;
  /// True if the op divides by counts, and if it does so by reciprocals.
  bool dividesByCount, usesReciprocals;
  /// True if lanes of coordinates and counts have 32 bits.
  bool isNarrow = dividesByCount && place.laneDim && countsInNarrowLanes(op);
  IRMapping mapping = {};

  /// `readOperand` gives the elements of an operand.
  Value emit(function_ref<Value(OpOperand &)> readOperand) {
    for (OpOperand *operand : op.getDpsInputOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(operand);
      if (!argument.use_empty())
        mapping.map(argument, readOperand(*operand));
    }
    for (Operation &nested : op.getBlock()->without_terminator())
      mapping.map(nested.getResult(0), emit(nested));
    Value result = op.getBlock()->getTerminator()->getOperand(0);
    return splat(mapping.lookupOrDefault(result));
  }

private:
  Value emit(Operation &nested) {
    // Values from outside are the same everywhere.
    SmallVector<Value> operands =
        llvm::map_to_vector(nested.getOperands(), [&](Value operand) {
          return mapping.lookupOrDefault(operand);
        });
    if (auto index = dyn_cast<linalg::IndexOp>(nested))
      return emitIndex(index.getDim());
    if (isa<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
            nested))
      return emitAffine(nested, operands);
    if (auto division = dyn_cast<arith::DivFOp>(nested);
        division && place.laneDim && usesReciprocals &&
        !matchPattern(division.getLhs(), m_OneFloat())) {
      // One division serves many elements: the bound of averages allows for the
      // reciprocal's rounding.
      return at.fold<arith::MulFOp>(operands[0],
                                    at.fold<arith::DivFOp>(1, operands[1]));
    }
    if (facts.hasPosition && asksForNoPosition(nested))
      return arith::ConstantIntOp::create(at, 0, 1);

    Type type = nested.getResult(0).getType();
    if (llvm::any_of(operands, [](Value operand) {
          return isa<VectorType>(operand.getType());
        })) {
      if (isa<math::PowFOp>(nested))
        return emitPower(operands[0], operands[1]);
      for (Value &operand : operands)
        operand = splat(operand);
      type = place.getType(getLaneType(type));
      if (isNarrow && isa<arith::IndexCastOp>(nested))
        return operands[0].getType() == type
                   ? operands[0]
                   : at.createOrFold<arith::TruncIOp>(type, operands[0]);
    }
    OperationState state(at.getLoc(), nested.getName(), operands, type,
                         nested.getAttrs());
    SmallVector<Value> folded;
    // A listener must not hear of an operation that folds.
    Operation *created = Operation::create(state);
    // A fold in place gives no results.
    if (failed(at.tryFold(created, folded)) || folded.empty())
      return at.insert(created)->getResult(0);
    created->destroy();
    return folded[0];
  }

  /// True if coordinates of `dim` differ between lanes in the body.
  bool hasOwnLanes(unsigned dim) const {
    return place.hasLanes(dim) && !facts.countCoordinates[dim];
  }

  Value emitIndex(unsigned dim) {
    if (Value coordinate = facts.countCoordinates[dim])
      return coordinate;
    // Narrow lanes are made of values that depend on the coordinate.
    if (!hasOwnLanes(dim) || isNarrow)
      return place.coordinates[dim];
    if (place.lanesPerStep < place.numLanes)
      return addSteps(place.coordinates[dim], at.getIndexType(), dim);
    auto type = VectorType::get(place.numLanes, at.getIndexType());
    return at.add(place.coordinates[dim], vector::StepOp::create(at, type));
  }

  /// Adds to `first`, for each lane, `slope` times its distance in `dim`.
  Value addSteps(Value first, Type element, unsigned dim, int64_t slope = 1) {
    return at.add(first, at.lanes(VectorType::get(place.numLanes, element),
                                  [&](int64_t lane) {
                                    return slope * place.getStep(dim, lane);
                                  }));
  }

  Value emitAffine(Operation &nested, ArrayRef<Value> operands) {
    AffineMap map = getAffineMap(nested);
    // The operand whose narrow lanes are still to be made.
    AffineExpr coordinate;
    unsigned dim = 0, numDims = map.getNumDims();
    for (auto [i, operand] : llvm::enumerate(nested.getOperands())) {
      auto index = operand.getDefiningOp<linalg::IndexOp>();
      if (!isNarrow || !index || !hasOwnLanes(index.getDim()))
        continue;
      dim = index.getDim();
      coordinate = i < numDims ? at.getAffineDimExpr(i)
                               : at.getAffineSymbolExpr(i - numDims);
    }
    std::function<Value(AffineExpr, AffineExpr)> emitExpr =
        [&](AffineExpr expr, AffineExpr coordinate) -> Value {
      if (auto constant = dyn_cast<AffineConstantExpr>(expr))
        return at.index(constant.getValue());
      if (coordinate) {
        AffineExpr slope =
            simplifyAffineExpr(expr.replace(coordinate, coordinate + 1) - expr,
                               numDims, map.getNumSymbols());
        if (auto constant = dyn_cast<AffineConstantExpr>(slope)) {
          Value first = emitExpr(expr, {});
          first = at.max(at.min(first, kMostBound), -kMostBound);
          return addSteps(first, at.getI32Type(), dim, constant.getValue());
        }
      }
      if (auto operand = dyn_cast<AffineDimExpr>(expr))
        return operands[operand.getPosition()];
      if (auto operand = dyn_cast<AffineSymbolExpr>(expr))
        return operands[numDims + operand.getPosition()];
      auto binary = cast<AffineBinaryOpExpr>(expr);
      Value lhs = emitExpr(binary.getLHS(), coordinate);
      Value rhs = emitExpr(binary.getRHS(), coordinate);
      switch (binary.getKind()) {
      case AffineExprKind::Add:
        return at.add(lhs, rhs);
      case AffineExprKind::Mul:
        return at.mul(lhs, rhs);
      case AffineExprKind::FloorDiv:
        return at.floorDiv(lhs, rhs);
      case AffineExprKind::CeilDiv:
        return at.fold<arith::CeilDivSIOp>(lhs, rhs);
      default:
        // The remainder; affine requires a positive divisor.
        return at.sub(lhs, at.mul(at.floorDiv(lhs, rhs), rhs));
      }
    };
    Value result;
    for (AffineExpr expr : map.getResults()) {
      Value value = emitExpr(expr, coordinate);
      result = !result                            ? value
               : isa<affine::AffineMinOp>(nested) ? at.min(result, value)
                                                  : at.max(result, value);
    }
    return result;
  }

  /// Scalar `pow` per existing lane: no target has a vector instruction. Given
  /// a vector of 512 bits of which one lane is used afterwards, LLVM 22's X86
  /// backend raises another lane of the base.
  Value emitPower(Value base, Value exponent) {
    base = splat(base);
    exponent = splat(exponent);
    Value result = base;
    for (int64_t lane = 0, e = place.getNumExisting().value_or(place.numLanes);
         lane < e; ++lane) {
      Value power = math::PowFOp::create(
          at, vector::ExtractOp::create(at, base, lane),
          at.createOrFold<vector::ExtractOp>(exponent, lane));
      result = vector::InsertOp::create(at, power, result, lane);
    }
    return result;
  }

  /// The type of a lane, where a scalar has `type`.
  Type getLaneType(Type type) const {
    return isNarrow && type.isIndex() ? at.getI32Type() : type;
  }
  Value splat(Value value) {
    if (isa<VectorType>(value.getType()) || !place.laneDim)
      return value;
    return at.splat(place.getType(getLaneType(value.getType())), value);
  }
};
} // namespace

/// Elements of `buffer` at the place's coordinates by way of `map`.
static Value readElements(KernelBuilder &at, Value buffer, AffineMap map,
                          const ElementPlace &place) {
  auto hasLanes = [&](AffineExpr expr) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && place.hasLanes(dim.getPosition());
  };
  // A lane that does not exist reads index 0, which always exists.
  auto getIndices = [&](int64_t lane, Value exists = {}) {
    auto getIndex = [&](AffineExpr expr) -> Value {
      if (auto constant = dyn_cast<AffineConstantExpr>(expr))
        return at.index(constant.getValue());
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      Value index = at.add(place.coordinates[dim], place.getStep(dim, lane));
      return exists && hasLanes(expr) ? at.select(exists, index, 0) : index;
    };
    return llvm::map_to_vector(map.getResults(), getIndex);
  };
  if (llvm::none_of(map.getResults(), hasLanes))
    return at.load(buffer, getIndices(0));
  auto bufferType = cast<MemRefType>(buffer.getType());
  auto type = VectorType::get(place.numLanes, bufferType.getElementType());
  if (place.lanesPerStep >= place.numLanes &&
      bufferType.isLastDimUnitStride() && hasLanes(map.getResults().back()))
    return castFromSignless(
        at,
        loadLanes(at, place.numLanes, buffer, getIndices(0), place.existing, 0),
        type);
  Value mask = createLaneMask(at, place.numLanes, place.existing);
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < place.numLanes; ++lane) {
    Value exists = mask ? at.createOrFold<vector::ExtractOp>(mask, lane) : mask;
    elements.push_back(at.load(buffer, getIndices(lane, exists)));
  }
  return vector::FromElementsOp::create(at, type, elements);
}

Value ElementwiseChain::emit(KernelBuilder &at, Value value,
                             const ElementPlace &place,
                             const ElementFacts &facts) const {
  Value tensor = start;
  Operation *sums = start.getDefiningOp();
  bool isUniform =
      sums && sums->hasAttr(PoolDialect::UniformSumsAttrHelper::getNameStr());
  value =
      castFromSignless(at, value, place.getType(getElementTypeOrSelf(tensor)));
  for (linalg::LinalgOp op : ops) {
    ElementFacts known = facts;
    known.hasPosition &= op == ops.front();
    bool dividesByCount =
        op->hasAttr(PoolDialect::DividesByCountAttrHelper::getNameStr());
    if (!dividesByCount)
      known.countCoordinates.clear();
    known.countCoordinates.resize(op.getNumLoops());
    // A product with a reciprocal is rounded twice.
    value =
        BodyEmitter{
            at, op, place, known, dividesByCount, dividesByCount && !isUniform}
            .emit([&](OpOperand &operand) -> Value {
              if (operand.get() == tensor)
                return value;
              if (!isa<TensorType>(operand.get().getType()))
                return operand.get();
              return readElements(at, buffers.lookup(operand.get()),
                                  op.getMatchingIndexingMap(&operand), place);
            });
    tensor = op->getResult(0);
  }
  return value;
}
