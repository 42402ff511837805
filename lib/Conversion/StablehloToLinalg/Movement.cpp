// Operations of StableHLO that move elements, and the arithmetic on extents
// that JAX exports for unknown ones.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Hlo.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "pool/Support/WindowRules.h"

using namespace mlir;
using namespace mlir::pool;

static RankedTensorType getType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && !type.getEncoding() ? type : RankedTensorType();
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// How deep what computes an extent may be nested: twice the time for each.
static constexpr unsigned kMaxExtentDepth = 16;

/// Element `i` of an integer tensor of rank 0 or 1 that is computed from
/// extents, as an index; null, and nothing is created, if it is not.
static Value createExtent(OpBuilder &b, Location loc, Value value, int64_t i,
                          bool isDry = false, unsigned depth = 0) {
  auto done = [&](auto create) -> Value {
    // A value that stands for "it can be created".
    return isDry ? value : create();
  };
  RankedTensorType type = getType(value);
  if (!type || type.getRank() > 1 || !type.hasStaticShape() ||
      i >= type.getNumElements() || !isa<IntegerType>(type.getElementType()) ||
      depth > kMaxExtentDepth)
    return {};
  if (DenseElementsAttr constant = hlo::getConstant(value)) {
    std::optional<int64_t> number =
        constant.getValues<APInt>()[i].trySExtValue();
    if (!number)
      return {};
    return done([&] {
      return arith::ConstantIndexOp::create(b, loc, *number).getResult();
    });
  }
  Operation *op = value.getDefiningOp();
  StringRef name = op ? hlo::getName(op) : StringRef();
  if (name.empty() || op->getNumResults() != 1 || op->getNumRegions() != 0)
    return {};
  if (name == "concatenate") {
    for (Value part : op->getOperands()) {
      RankedTensorType partType = getType(part);
      if (!partType || partType.getRank() != 1 || partType.isDynamicDim(0))
        return {};
      if (i < partType.getDimSize(0))
        return createExtent(b, loc, part, i, isDry, depth + 1);
      i -= partType.getDimSize(0);
    }
    return {};
  }
  if (name == "get_dimension_size" && op->getNumOperands() == 1) {
    auto dim = dyn_cast_if_present<IntegerAttr>(op->getAttr("dimension"));
    RankedTensorType of = getType(op->getOperand(0));
    if (!dim || !of || dim.getValue().uge(of.getRank()))
      return {};
    return done([&] {
      return tensor::DimOp::create(b, loc, op->getOperand(0),
                                   dim.getValue().getZExtValue())
          .getResult();
    });
  }
  if ((name == "reshape" || name == "convert") && op->getNumOperands() == 1)
    return createExtent(b, loc, op->getOperand(0), i, isDry, depth + 1);
  if (op->getNumOperands() != 2)
    return {};
  Value lhs = createExtent(b, loc, op->getOperand(0), i, isDry, depth + 1);
  Value rhs = lhs ? createExtent(b, loc, op->getOperand(1), i, isDry, depth + 1)
                  : Value();
  if (!lhs || !rhs)
    return {};
  if (name == "add")
    return done(
        [&] { return arith::AddIOp::create(b, loc, lhs, rhs).getResult(); });
  if (name == "subtract")
    return done(
        [&] { return arith::SubIOp::create(b, loc, lhs, rhs).getResult(); });
  if (name == "multiply")
    return done(
        [&] { return arith::MulIOp::create(b, loc, lhs, rhs).getResult(); });
  return {};
}

/// The extents of `type`, those that are unknown from `shape`; empty, and
/// nothing is created, if they cannot be computed.
static std::optional<SmallVector<OpFoldResult>>
createSizes(OpBuilder &b, Location loc, RankedTensorType type, Value shape) {
  RankedTensorType shapeType = getType(shape);
  if (!shapeType || shapeType.getRank() != 1 ||
      shapeType.getDimSize(0) != type.getRank())
    return std::nullopt;
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d) && !createExtent(b, loc, shape, d, /*isDry=*/true))
      return std::nullopt;
  SmallVector<OpFoldResult> sizes;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    if (type.isDynamicDim(d))
      sizes.push_back(createExtent(b, loc, shape, d));
    else
      sizes.push_back(b.getIndexAttr(type.getDimSize(d)));
  }
  return sizes;
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
    // An unknown extent may be 1, and broadcast, or not.
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
  auto sizes = createSizes(rewriter, op->getLoc(), type, op->getOperand(1));
  return sizes ? broadcast(op, type, *dims, *sizes, rewriter) : failure();
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

static LogicalResult lowerSlice(Operation *op, RewriterBase &rewriter) {
  if (op->getNumOperands() != 1)
    return failure();
  RankedTensorType from = getType(op->getOperand(0));
  RankedTensorType to = getType(op->getResult(0));
  if (!from || !to || from.getElementType() != to.getElementType() ||
      from.getRank() != to.getRank() || !from.hasStaticShape())
    return failure();
  unsigned rank = from.getRank();
  auto starts = hlo::getIntegers(op, "start_indices", rank, -1);
  auto limits = hlo::getIntegers(op, "limit_indices", rank, -1);
  auto strides = hlo::getIntegers(op, "strides", rank, -1);
  if (!starts || !limits || !strides)
    return failure();
  SmallVector<OpFoldResult> offsets, sizes, steps;
  for (unsigned d = 0; d < rank; ++d) {
    int64_t start = (*starts)[d], limit = (*limits)[d], stride = (*strides)[d];
    if (start < 0 || stride < 1 || limit < start ||
        limit > from.getDimSize(d) ||
        to.getDimSize(d) != llvm::divideCeil(limit - start, stride))
      return failure();
    offsets.push_back(rewriter.getIndexAttr(start));
    sizes.push_back(rewriter.getIndexAttr(to.getDimSize(d)));
    steps.push_back(rewriter.getIndexAttr(stride));
  }
  rewriter.setInsertionPoint(op);
  rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(op, to, op->getOperand(0),
                                                      offsets, sizes, steps);
  return success();
}

static LogicalResult lowerPad(Operation *op, RewriterBase &rewriter) {
  if (op->getNumOperands() != 2)
    return failure();
  RankedTensorType from = getType(op->getOperand(0));
  RankedTensorType to = getType(op->getResult(0));
  TypedAttr value = hlo::getSplat(op->getOperand(1));
  if (!from || !to || !value || from.getElementType() != to.getElementType() ||
      value.getType() != to.getElementType() ||
      from.getElementType().isUnsignedInteger() ||
      from.getRank() != to.getRank() || !from.hasStaticShape())
    return failure();
  unsigned rank = from.getRank();
  auto low = hlo::getIntegers(op, "edge_padding_low", rank, -1);
  auto high = hlo::getIntegers(op, "edge_padding_high", rank, -1);
  auto interior = hlo::getIntegers(op, "interior_padding", rank, 0);
  if (!low || !high || !interior || !isAll(*interior, 0))
    return failure();
  SmallVector<OpFoldResult> lows, highs;
  for (unsigned d = 0; d < rank; ++d) {
    if ((*low)[d] < 0 || (*high)[d] < 0 ||
        to.getDimSize(d) != from.getDimSize(d) + (*low)[d] + (*high)[d])
      return failure();
    lows.push_back(rewriter.getIndexAttr((*low)[d]));
    highs.push_back(rewriter.getIndexAttr((*high)[d]));
  }
  Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  Value constant = arith::ConstantOp::create(rewriter, loc, value);
  rewriter.replaceOpWithNewOp<tensor::PadOp>(op, to, op->getOperand(0), lows,
                                             highs, constant);
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
  auto predicate = llvm::StringSwitch<std::optional<arith::CmpIPredicate>>(
                       hlo::getKeyword(compare, "comparison_direction"))
                       .Case("EQ", arith::CmpIPredicate::eq)
                       .Case("GE", arith::CmpIPredicate::sge)
                       .Default(std::nullopt);
  Value lhs = compare->getOperand(0), rhs = compare->getOperand(1);
  Location loc = op->getLoc();
  if (!predicate || !createExtent(rewriter, loc, lhs, 0, /*isDry=*/true) ||
      !createExtent(rewriter, loc, rhs, 0, /*isDry=*/true))
    return failure();
  rewriter.setInsertionPoint(op);
  Value holds = arith::CmpIOp::create(rewriter, loc, *predicate,
                                      createExtent(rewriter, loc, lhs, 0),
                                      createExtent(rewriter, loc, rhs, 0));
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
      .Case("pad", lowerPad)
      .Case("reshape", lowerReshape)
      .Case("slice", lowerSlice)
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
