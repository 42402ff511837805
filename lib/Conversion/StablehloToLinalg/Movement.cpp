// Operations of StableHLO that move elements, and the checks of unknown extents
// that JAX exports.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Hlo.h"
#include "Extents.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "pool/Support/WindowRules.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;

static RankedTensorType getType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && !type.getEncoding() ? type : RankedTensorType();
}

/// The extents of `type`, those that are unknown from `shape`; empty, and
/// nothing is created, if they cannot be computed.
static std::optional<SmallVector<OpFoldResult>>
createSizes(OpBuilder &b, Location loc, RankedTensorType type, Value shape) {
  auto shapeType = getType(shape);
  if (!shapeType || shapeType.getRank() != 1 ||
      shapeType.getDimSize(0) != type.getRank())
    return std::nullopt;
  SmallVector<ShapeElement> unknown;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      unknown.push_back({shape, d});
  auto extents = createExtents(b, loc, unknown);
  if (!extents)
    return std::nullopt;
  return getMixedValues(type.getShape(), *extents, b);
}

/// A check that `predicate` holds, if not both are known.
static void assertThat(OpBuilder &b, Location loc, OpFoldResult lhs,
                       arith::CmpIPredicate predicate, OpFoldResult rhs,
                       const Twine &message) {
  if (getConstantIntValue(lhs) && getConstantIntValue(rhs))
    return;
  Value holds = arith::CmpIOp::create(
      b, loc, predicate, getValueOrCreateConstantIndexOp(b, loc, lhs),
      getValueOrCreateConstantIndexOp(b, loc, rhs));
  cf::AssertOp::create(b, loc, holds, message.str());
}

//===----------------------------------------------------------------------===//
// Broadcasts
//===----------------------------------------------------------------------===//

/// Broadcasts the operand to `sizes` of `type`.
static LogicalResult broadcast(Operation *op, RankedTensorType type,
                               ArrayRef<int64_t> dims,
                               ArrayRef<OpFoldResult> sizes,
                               RewriterBase &rewriter) {
  Location loc = op->getLoc();
  Value value = op->getOperand(0);
  RankedTensorType from = getType(value);
  MLIRContext *context = op->getContext();
  unsigned rank = type.getRank();
  SmallVector<AffineExpr> reads;
  for (auto [i, d] : llvm::enumerate(dims))
    reads.push_back(from.getDimSize(i) == 1 && type.getDimSize(d) != 1
                        ? getAffineConstantExpr(0, context)
                        : getAffineDimExpr(d, context));
  AffineMap maps[] = {AffineMap::get(rank, 0, reads, context),
                      AffineMap::getMultiDimIdentityMap(rank, context)};
  Value init =
      tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType());
  auto generic = linalg::GenericOp::create(
      rewriter, loc, init.getType(), value, init, maps,
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [](OpBuilder &b, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(b, loc, arguments[0]);
      });
  rewriter.replaceOp(op, generic.getResults());
  return success();
}

static LogicalResult lowerBroadcast(Operation *op, RewriterBase &rewriter) {
  bool isDynamic = hlo::getName(op) == "dynamic_broadcast_in_dim";
  if (op->getNumOperands() != (isDynamic ? 2u : 1u))
    return failure();
  RankedTensorType from = getType(op->getOperand(0));
  RankedTensorType type = getType(op->getResult(0));
  if (!from || !type || from.getElementType() != type.getElementType())
    return failure();
  auto dims = hlo::getIntegers(op, "broadcast_dimensions", from.getRank(), -1);
  if (!dims)
    return failure();
  llvm::SmallDenseSet<int64_t> seen;
  for (auto [i, d] : llvm::enumerate(*dims)) {
    if (d < 0 || d >= type.getRank() || !seen.insert(d).second)
      return failure();
    int64_t extent = from.getDimSize(i);
    // Which of the two an unknown extent is decides what is read: it is taken
    // to be the result's, and checked when that runs.
    if (extent != 1 && extent != type.getDimSize(d))
      return failure();
    if (extent != 1 && ShapedType::isDynamic(extent) && !isDynamic)
      return failure();
  }
  if (!isDynamic && !type.hasStaticShape())
    return failure();
  rewriter.setInsertionPoint(op);
  if (TypedAttr splat = hlo::getSplat(op->getOperand(0));
      splat && type.hasStaticShape()) {
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, DenseElementsAttr::get(type, splat));
    return success();
  }
  if (!isDynamic)
    return broadcast(
        op, type, *dims,
        tensor::getMixedSizes(rewriter, op->getLoc(),
                              tensor::EmptyOp::create(rewriter, op->getLoc(),
                                                      type.getShape(),
                                                      type.getElementType())),
        rewriter);
  Location loc = op->getLoc();
  auto sizes = createSizes(rewriter, loc, type, op->getOperand(1));
  if (!sizes)
    return failure();
  for (auto [i, d] : llvm::enumerate(*dims))
    if (from.isDynamicDim(i))
      assertThat(rewriter, loc,
                 tensor::getMixedSize(rewriter, loc, op->getOperand(0), i),
                 arith::CmpIPredicate::eq, (*sizes)[d],
                 "stablehlo.dynamic_broadcast_in_dim: dimension " + Twine(i) +
                     " of unknown extent is not as long as dimension " +
                     Twine(d) + " of the result");
  return broadcast(op, type, *dims, *sizes, rewriter);
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

static LogicalResult lowerConstant(Operation *op, RewriterBase &rewriter) {
  DenseElementsAttr value = hlo::getConstant(op->getResult(0));
  if (!value || op->getNumOperands() != 0)
    return failure();
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, value);
  return success();
}

static LogicalResult lowerReshape(Operation *op, RewriterBase &rewriter) {
  if (op->getNumOperands() != 1)
    return failure();
  RankedTensorType from = getType(op->getOperand(0));
  RankedTensorType to = getType(op->getResult(0));
  if (!from || !to || from.getElementType() != to.getElementType() ||
      !from.hasStaticShape() || !to.hasStaticShape())
    return failure();
  std::optional<int64_t> count = getProduct(from.getShape());
  if (!count || count != getProduct(to.getShape()))
    return failure();
  Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  Value value = op->getOperand(0);
  auto all = [](RankedTensorType type) {
    SmallVector<ReassociationIndices> groups;
    if (type.getRank() != 0)
      groups.push_back(llvm::to_vector(llvm::seq<int64_t>(type.getRank())));
    return groups;
  };
  auto line = RankedTensorType::get({*count}, from.getElementType());
  if (from.getRank() == 0)
    value =
        tensor::ExpandShapeOp::create(rewriter, loc, line, value, all(from));
  else if (from.getRank() > 1)
    value =
        tensor::CollapseShapeOp::create(rewriter, loc, line, value, all(from));
  if (to.getRank() == 0)
    value = tensor::CollapseShapeOp::create(rewriter, loc, to, value, all(to));
  else if (to.getRank() > 1)
    value = tensor::ExpandShapeOp::create(rewriter, loc, to, value, all(to));
  rewriter.replaceOp(op, value);
  return success();
}

static LogicalResult lowerTranspose(Operation *op, RewriterBase &rewriter) {
  if (op->getNumOperands() != 1)
    return failure();
  RankedTensorType from = getType(op->getOperand(0));
  RankedTensorType to = getType(op->getResult(0));
  if (!from || !to || from.getRank() != to.getRank() ||
      from.getElementType() != to.getElementType())
    return failure();
  auto permutation = hlo::getIntegers(op, "permutation", from.getRank(), -1);
  if (!permutation || !isPermutationVector(*permutation))
    return failure();
  for (auto [i, d] : llvm::enumerate(*permutation))
    if (to.getDimSize(i) != from.getDimSize(d))
      return failure();
  Location loc = op->getLoc();
  // linalg has no transpose of a scalar.
  if (from.getRank() == 0) {
    rewriter.replaceOp(op, op->getOperand(0));
    return success();
  }
  rewriter.setInsertionPoint(op);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, op->getOperand(0));
  applyPermutationToVector(sizes, *permutation);
  Value init =
      tensor::EmptyOp::create(rewriter, loc, sizes, to.getElementType());
  auto transposed = linalg::TransposeOp::create(
      rewriter, loc, op->getOperand(0), init, *permutation);
  rewriter.replaceOp(op, transposed->getResults());
  return success();
}

namespace {
/// Lists of an integer for each dimension, attributes of an operation or
/// operands of one that takes them when it runs.
class DimLists {
public:
  /// Reads the attributes `names`, or the operands from `firstOperand` on.
  static std::optional<DimLists> read(Operation *op, ArrayRef<StringRef> names,
                                      std::optional<unsigned> firstOperand,
                                      int64_t rank);

  /// The integers of list `i`, ShapedType::kDynamic for those that are
  /// computed.
  ArrayRef<int64_t> operator[](unsigned i) const { return known[i]; }
  /// All lists with what computes the others; nothing is created if it cannot
  /// be.
  std::optional<SmallVector<SmallVector<OpFoldResult>>>
  create(OpBuilder &b, Location loc) const;

private:
  SmallVector<SmallVector<int64_t>> known;
  SmallVector<ShapeElement> unknown;
};
} // namespace

std::optional<DimLists> DimLists::read(Operation *op, ArrayRef<StringRef> names,
                                       std::optional<unsigned> firstOperand,
                                       int64_t rank) {
  DimLists lists;
  for (auto [i, name] : llvm::enumerate(names)) {
    if (!firstOperand) {
      auto integers = hlo::getIntegers(op, name, rank, -1);
      if (!integers)
        return std::nullopt;
      lists.known.push_back(std::move(*integers));
      continue;
    }
    Value list = op->getOperand(*firstOperand + i);
    RankedTensorType type = getType(list);
    if (!type || type.getShape() != ArrayRef<int64_t>(rank))
      return std::nullopt;
    SmallVector<int64_t> &integers = lists.known.emplace_back();
    for (int64_t d = 0; d < rank; ++d) {
      std::optional<int64_t> integer = getKnown({list, d});
      if (integer && !llvm::isInt<32>(*integer))
        return std::nullopt;
      integers.push_back(integer.value_or(ShapedType::kDynamic));
      if (!integer)
        lists.unknown.push_back({list, d});
    }
  }
  return lists;
}

std::optional<SmallVector<SmallVector<OpFoldResult>>>
DimLists::create(OpBuilder &b, Location loc) const {
  auto values = createExtents(b, loc, unknown);
  if (!values)
    return std::nullopt;
  ValueRange left = *values;
  return llvm::map_to_vector(known, [&](ArrayRef<int64_t> integers) {
    size_t count = llvm::count(integers, ShapedType::kDynamic);
    auto mixed = getMixedValues(integers, left.take_front(count), b);
    left = left.drop_front(count);
    return mixed;
  });
}

static LogicalResult lowerSlice(Operation *op, RewriterBase &rewriter) {
  bool isDynamic = hlo::getName(op) == "real_dynamic_slice";
  if (op->getNumOperands() != (isDynamic ? 4u : 1u))
    return failure();
  Value source = op->getOperand(0);
  RankedTensorType from = getType(source);
  RankedTensorType to = getType(op->getResult(0));
  if (!from || !to || from.getElementType() != to.getElementType() ||
      from.getRank() != to.getRank())
    return failure();
  int64_t rank = from.getRank();
  auto lists =
      DimLists::read(op, {"start_indices", "limit_indices", "strides"},
                     isDynamic ? std::optional(1u) : std::nullopt, rank);
  if (!lists)
    return failure();
  for (int64_t d = 0; d < rank; ++d) {
    int64_t start = (*lists)[0][d], limit = (*lists)[1][d],
            stride = (*lists)[2][d], extent = from.getDimSize(d);
    auto isKnown = [](int64_t i) { return !ShapedType::isDynamic(i); };
    bool hasSize = isKnown(start) && isKnown(limit);
    if (stride < 1 || (isKnown(start) && start < 0) ||
        (isKnown(limit) && isKnown(extent) && limit > extent) ||
        hasSize == to.isDynamicDim(d) || (!hasSize && stride != 1))
      return failure();
    if (hasSize && (limit < start ||
                    to.getDimSize(d) != static_cast<int64_t>(llvm::divideCeil(
                                            limit - start, stride))))
      return failure();
  }
  Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  auto bounds = lists->create(rewriter, loc);
  if (!bounds)
    return failure();
  ArrayRef<OpFoldResult> starts = (*bounds)[0], limits = (*bounds)[1];
  SmallVector<OpFoldResult> extents =
      tensor::getMixedSizes(rewriter, loc, source);
  SmallVector<OpFoldResult> sizes;
  OpFoldResult zero = rewriter.getIndexAttr(0);
  for (int64_t d = 0; d < rank; ++d) {
    std::string message =
        llvm::formatv("the slice of dimension {0} is not inside it", d);
    assertThat(rewriter, loc, zero, arith::CmpIPredicate::sle, starts[d],
               message);
    assertThat(rewriter, loc, starts[d], arith::CmpIPredicate::sle, limits[d],
               message);
    assertThat(rewriter, loc, limits[d], arith::CmpIPredicate::sle, extents[d],
               message);
    sizes.push_back(
        to.isDynamicDim(d)
            ? OpFoldResult(
                  arith::SubIOp::create(
                      rewriter, loc,
                      getValueOrCreateConstantIndexOp(rewriter, loc, limits[d]),
                      getValueOrCreateConstantIndexOp(rewriter, loc, starts[d]))
                      .getResult())
            : rewriter.getIndexAttr(to.getDimSize(d)));
  }
  rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(op, to, source, starts,
                                                      sizes, (*bounds)[2]);
  return success();
}

static LogicalResult lowerPad(Operation *op, RewriterBase &rewriter) {
  bool isDynamic = hlo::getName(op) == "dynamic_pad";
  if (op->getNumOperands() != (isDynamic ? 5u : 2u))
    return failure();
  RankedTensorType from = getType(op->getOperand(0));
  RankedTensorType to = getType(op->getResult(0));
  TypedAttr value = hlo::getSplat(op->getOperand(1));
  if (!from || !to || !value || from.getElementType() != to.getElementType() ||
      value.getType() != to.getElementType() ||
      from.getElementType().isUnsignedInteger() ||
      from.getRank() != to.getRank())
    return failure();
  int64_t rank = from.getRank();
  auto lists = DimLists::read(
      op, {"edge_padding_low", "edge_padding_high", "interior_padding"},
      isDynamic ? std::optional(2u) : std::nullopt, rank);
  if (!lists || !isAll((*lists)[2], 0))
    return failure();
  for (int64_t d = 0; d < rank; ++d) {
    int64_t low = (*lists)[0][d], high = (*lists)[1][d];
    bool isUnknown = from.isDynamicDim(d) || ShapedType::isDynamic(low) ||
                     ShapedType::isDynamic(high);
    if ((low < 0 && !ShapedType::isDynamic(low)) ||
        (high < 0 && !ShapedType::isDynamic(high)) ||
        isUnknown != to.isDynamicDim(d) ||
        (!isUnknown && to.getDimSize(d) != from.getDimSize(d) + low + high))
      return failure();
  }
  Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  auto pads = lists->create(rewriter, loc);
  if (!pads)
    return failure();
  ArrayRef<OpFoldResult> lows = (*pads)[0], highs = (*pads)[1];
  for (int64_t d = 0; d < rank; ++d)
    for (OpFoldResult pad : {lows[d], highs[d]})
      assertThat(rewriter, loc, rewriter.getIndexAttr(0),
                 arith::CmpIPredicate::sle, pad,
                 "the padding of dimension " + Twine(d) + " is negative");
  Value constant = arith::ConstantOp::create(rewriter, loc, value);
  rewriter.replaceOpWithNewOp<tensor::PadOp>(op, to, op->getOperand(0), lows,
                                             highs, constant);
  return success();
}

/// An extent that numbers are computed from. Users that need it as an extent
/// come before, and have it from createExtents.
static LogicalResult lowerDimensionSize(Operation *op, RewriterBase &rewriter) {
  RankedTensorType type = getType(op->getResult(0));
  if (!type || type.getRank() != 0 ||
      !type.getElementType().isSignlessInteger(32))
    return failure();
  rewriter.setInsertionPoint(op);
  auto extent =
      createExtents(rewriter, op->getLoc(), ShapeElement{op->getResult(0)});
  if (!extent)
    return failure();
  Value number = arith::IndexCastOp::create(
      rewriter, op->getLoc(), type.getElementType(), extent->front());
  rewriter.replaceOpWithNewOp<tensor::FromElementsOp>(op, type, number);
  return success();
}

/// The check of an extent that jax.export writes: the message names the
/// polymorphic shape.
static LogicalResult lowerShapeAssertion(Operation *op,
                                         RewriterBase &rewriter) {
  auto target =
      dyn_cast_if_present<StringAttr>(op->getAttr("call_target_name"));
  auto message = dyn_cast_if_present<StringAttr>(op->getAttr("error_message"));
  if (!target || target.getValue() != "shape_assertion" || !message ||
      op->getNumOperands() == 0 || op->getNumResults() != 0)
    return failure();
  Operation *compare = hlo::getProducer(op->getOperand(0), "compare", 2);
  if (!compare)
    return failure();
  auto predicate = getIntegerPredicate(compare, /*isUnsigned=*/false);
  if (predicate != arith::CmpIPredicate::eq &&
      predicate != arith::CmpIPredicate::sge)
    return failure();
  Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  auto extents = createExtents(
      rewriter, loc, {{compare->getOperand(0)}, {compare->getOperand(1)}});
  if (!extents)
    return failure();
  Value holds = arith::CmpIOp::create(rewriter, loc, *predicate, (*extents)[0],
                                      (*extents)[1]);
  cf::AssertOp::create(rewriter, loc, holds, message);
  rewriter.eraseOp(op);
  return success();
}

using LowerFn = LogicalResult (*)(Operation *, RewriterBase &);

static LowerFn findLowering(StringRef name) {
  return llvm::StringSwitch<LowerFn>(name)
      .Cases({"broadcast_in_dim", "dynamic_broadcast_in_dim"}, lowerBroadcast)
      .Case("constant", lowerConstant)
      .Case("custom_call", lowerShapeAssertion)
      .Case("get_dimension_size", lowerDimensionSize)
      .Cases({"pad", "dynamic_pad"}, lowerPad)
      .Case("reshape", lowerReshape)
      .Cases({"slice", "real_dynamic_slice"}, lowerSlice)
      .Case("transpose", lowerTranspose)
      .Default(nullptr);
}

bool pool::isMovement(StringRef name) { return findLowering(name) != nullptr; }

LogicalResult pool::lowerMovement(Operation *op, RewriterBase &rewriter,
                                  std::string &reason) {
  StringRef name = hlo::getName(op);
  if (op->getNumRegions() == 0 && op->getNumSuccessors() == 0 &&
      (op->getNumResults() == 1 || name == "custom_call") &&
      succeeded(findLowering(name)(op, rewriter)))
    return success();
  reason = "its types and attributes are not supported";
  return failure();
}
