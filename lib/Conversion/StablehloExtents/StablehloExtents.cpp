// Lowers the operations of StableHLO that jax.export writes for symbolic
// extents. jaxlib's pass stablehlo-legalize-to-linalg does not lower them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Conversion/Passes.h"
#include "pool/Conversion/UnregisteredStablehlo.h"
#include "pool/Dialect/Pool/Utils/ElementBuilder.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::pool {
#define GEN_PASS_DEF_LOWERSTABLEHLOEXTENTS
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

static constexpr llvm::StringLiteral kPass = "lower-stablehlo-extents";

static RankedTensorType getType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && !type.getEncoding() ? type : RankedTensorType();
}

/// Returns the types of the first operand and of the result. Both are null
/// unless both are ranked tensors without encoding and of one element type.
static std::pair<RankedTensorType, RankedTensorType> getTypes(Operation *op) {
  RankedTensorType from = getType(op->getOperand(0));
  RankedTensorType to = getType(op->getResult(0));
  if (!from || !to || from.getElementType() != to.getElementType())
    return {};
  return {from, to};
}

namespace {
/// An element of an integer tensor of rank 0 or 1. `position` is 0 for rank 0.
struct ShapeElement {
  Value tensor;
  int64_t position = 0;
};
} // namespace

/// Returns the type of a tensor that extents can be read from: i32 or i64,
/// static, of rank 0 or 1. Returns null for any other value.
static RankedTensorType getShapeType(Value value) {
  RankedTensorType type = getType(value);
  bool fits = type && type.getRank() <= 1 && type.hasStaticShape() &&
              (type.getElementType().isSignlessInteger(32) ||
               type.getElementType().isSignlessInteger(64));
  return fits ? type : RankedTensorType();
}

/// Follows `element` to the tensor that it comes from, through concatenate,
/// reshape, and broadcast_in_dim of a scalar. Stops before an operand of a
/// reshape or broadcast that has no getShapeType(). Returns a null tensor if
/// `element.tensor` or a part of a concatenate has no getShapeType(), if the
/// position is out of bounds, or after hlo::kMaxChain steps.
static ShapeElement resolve(ShapeElement element) {
  for (unsigned i = 0; i < hlo::kMaxChain; ++i) {
    RankedTensorType type = getShapeType(element.tensor);
    if (!type || element.position >= type.getNumElements())
      return {};
    Operation *op = element.tensor.getDefiningOp();
    StringRef name = op ? hlo::getName(op) : StringRef();
    if (name == "concatenate" && op->getNumResults() == 1) {
      element.tensor = {};
      for (Value part : op->getOperands()) {
        RankedTensorType partType = getShapeType(part);
        if (!partType || partType.getRank() != 1 ||
            partType.getElementType() != type.getElementType())
          return {};
        if (element.position < partType.getDimSize(0)) {
          element.tensor = part;
          break;
        }
        element.position -= partType.getDimSize(0);
      }
      if (!element.tensor)
        return {};
      continue;
    }
    bool movesOne = (name == "reshape" || name == "broadcast_in_dim") &&
                    hlo::getProducer(element.tensor, name, 1);
    RankedTensorType from =
        movesOne ? getShapeType(op->getOperand(0)) : RankedTensorType();
    if (!from || from.getElementType() != type.getElementType())
      return element;
    if (name == "broadcast_in_dim") {
      if (from.getRank() != 0)
        return element;
      element.position = 0;
    }
    element.tensor = op->getOperand(0);
  }
  return {};
}

/// Returns element `position` of `list` as an index attribute or value, or null
/// if resolve() fails.
static OpFoldResult getExtent(ElementBuilder &b, Value list, int64_t position) {
  ShapeElement element = resolve({list, position});
  if (!element.tensor)
    return {};
  if (DenseElementsAttr constant = hlo::getConstant(element.tensor))
    return b.getIndexAttr(
        constant.getValues<APInt>()[element.position].getSExtValue());
  SmallVector<Value> indices;
  if (getShapeType(element.tensor).getRank() == 1)
    indices.push_back(b.index(element.position));
  Value number = tensor::ExtractOp::create(b, element.tensor, indices);
  return b.castIndex(b.getIndexType(), number);
}

/// Returns the `rank` elements of `list` as index attributes or values. Returns
/// nothing if `list` has another length or resolve() fails. Also rejects
/// constants that do not fit 32 bits, because sums of them may overflow.
static std::optional<SmallVector<OpFoldResult>>
getExtents(ElementBuilder &b, Value list, int64_t rank) {
  RankedTensorType type = getShapeType(list);
  if (!type || type.getShape() != ArrayRef<int64_t>(rank))
    return std::nullopt;
  SmallVector<OpFoldResult> extents;
  for (int64_t d = 0; d < rank; ++d) {
    OpFoldResult extent = getExtent(b, list, d);
    if (!extent || !llvm::isInt<32>(getConstantIntValue(extent).value_or(0)))
      return std::nullopt;
    extents.push_back(extent);
  }
  return extents;
}

/// Creates an assertion that `lhs` compares with `rhs` as `predicate` says.
/// Creates nothing if both are constants, because callers have compared those.
static void assertThat(ElementBuilder &b, OpFoldResult lhs,
                       arith::CmpIPredicate predicate, OpFoldResult rhs,
                       const Twine &message) {
  if (getConstantIntValue(lhs) && getConstantIntValue(rhs))
    return;
  Value holds = arith::CmpIOp::create(b, predicate, b.value(lhs), b.value(rhs));
  cf::AssertOp::create(b, holds, message.str());
}

/// Adds the attributes that say which dimensions of the operand expand. Without
/// them, jaxlib does not lower a broadcast of unknown extents. Only dimensions
/// of static extent 1 expand. For each unknown extent, an assertion checks that
/// it equals the extent in the result.
static LogicalResult lowerBroadcast(Operation *op, RewriterBase &rewriter) {
  if (op->getNumOperands() != 2 || op->hasAttr("known_expanding_dimensions"))
    return failure();
  auto [from, type] = getTypes(op);
  if (!from)
    return failure();
  auto dims = hlo::getIntegers(op, "broadcast_dimensions", from.getRank(), -1);
  if (!dims)
    return failure();
  ElementBuilder b(rewriter, op->getLoc());
  auto sizes = getExtents(b, op->getOperand(1), type.getRank());
  if (!sizes)
    return failure();
  llvm::SmallDenseSet<int64_t> seen;
  SmallVector<int64_t> expanding, others;
  for (auto [i, d] : llvm::enumerate(*dims)) {
    int64_t extent = from.getDimSize(i);
    if (d < 0 || d >= type.getRank() || !seen.insert(d).second ||
        (extent != 1 && extent != type.getDimSize(d)))
      return failure();
    (extent == 1 ? expanding : others).push_back(i);
  }
  for (int64_t i : others)
    if (from.isDynamicDim(i))
      assertThat(b, tensor::getMixedSize(b, op->getLoc(), op->getOperand(0), i),
                 arith::CmpIPredicate::eq, (*sizes)[(*dims)[i]],
                 "stablehlo.dynamic_broadcast_in_dim: dimension " + Twine(i) +
                     " of unknown extent is not as long as dimension " +
                     Twine((*dims)[i]) + " of the result");
  auto name = [&](StringRef name, ArrayRef<int64_t> list) {
    return b.getNamedAttr(name, b.getDenseI64ArrayAttr(list));
  };
  rewriter.replaceOp(
      op, hlo::create(b, op->getLoc(), "dynamic_broadcast_in_dim", type,
                      op->getOperands(),
                      {name("broadcast_dimensions", *dims),
                       name("known_expanding_dimensions", expanding),
                       name("known_nonexpanding_dimensions", others)}));
  return success();
}

static LogicalResult lowerSlice(Operation *op, RewriterBase &rewriter) {
  if (op->getNumOperands() != 4)
    return failure();
  Value source = op->getOperand(0);
  auto [from, to] = getTypes(op);
  if (!from || from.getRank() != to.getRank())
    return failure();
  int64_t rank = from.getRank();
  ElementBuilder b(rewriter, op->getLoc());
  auto starts = getExtents(b, op->getOperand(1), rank);
  auto limits = getExtents(b, op->getOperand(2), rank);
  auto strides = getExtents(b, op->getOperand(3), rank);
  if (!starts || !limits || !strides)
    return failure();
  for (int64_t d = 0; d < rank; ++d) {
    std::optional<int64_t> start = getConstantIntValue((*starts)[d]),
                           limit = getConstantIntValue((*limits)[d]),
                           stride = getConstantIntValue((*strides)[d]);
    bool hasSize = start && limit;
    // Also reject an extent of 0: tensor.extract_slice accepts no offset in
    // such a dimension.
    if (from.getDimSize(d) == 0 || !stride || *stride < 1 ||
        (start && *start < 0) ||
        (limit && !from.isDynamicDim(d) && *limit > from.getDimSize(d)) ||
        hasSize == to.isDynamicDim(d) || (!hasSize && *stride != 1))
      return failure();
    if (hasSize &&
        (*limit < *start ||
         to.getDimSize(d) != llvm::divideCeilSigned(*limit - *start, *stride)))
      return failure();
  }
  SmallVector<OpFoldResult> extents =
      tensor::getMixedSizes(b, op->getLoc(), source);
  SmallVector<OpFoldResult> offsets, sizes;
  OpFoldResult zero = b.getIndexAttr(0);
  for (int64_t d = 0; d < rank; ++d) {
    OpFoldResult start = (*starts)[d], limit = (*limits)[d];
    std::string message =
        llvm::formatv("the slice of dimension {0} is not inside it", d);
    auto assertOrder = [&](OpFoldResult lhs, OpFoldResult rhs) {
      assertThat(b, lhs, arith::CmpIPredicate::sle, rhs, message);
    };
    assertOrder(zero, start);
    assertOrder(start, limit);
    assertOrder(limit, extents[d]);
    // A slice that starts at the end is empty. Give it offset 0, because
    // tensor.extract_slice does not accept the end as an offset.
    std::optional<int64_t> known = getConstantIntValue(start);
    bool isAtEnd = to.getDimSize(d) == 0 || (known && !from.isDynamicDim(d) &&
                                             *known >= from.getDimSize(d));
    offsets.push_back(isAtEnd ? zero : start);
    if (to.isDynamicDim(d))
      sizes.push_back(
          arith::SubIOp::create(b, b.value(limit), b.value(start)).getResult());
    else
      sizes.push_back(b.getIndexAttr(to.getDimSize(d)));
  }
  rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(op, to, source, offsets,
                                                      sizes, *strides);
  return success();
}

static LogicalResult lowerPad(Operation *op, RewriterBase &rewriter) {
  if (op->getNumOperands() != 5)
    return failure();
  auto [from, to] = getTypes(op);
  TypedAttr value = hlo::getSplat(op->getOperand(1));
  if (!from || !value || value.getType() != to.getElementType() ||
      from.getElementType().isUnsignedInteger() ||
      from.getRank() != to.getRank())
    return failure();
  int64_t rank = from.getRank();
  ElementBuilder b(rewriter, op->getLoc());
  auto lows = getExtents(b, op->getOperand(2), rank);
  auto highs = getExtents(b, op->getOperand(3), rank);
  auto between = getExtents(b, op->getOperand(4), rank);
  if (!lows || !highs || !between)
    return failure();
  for (int64_t d = 0; d < rank; ++d) {
    std::optional<int64_t> low = getConstantIntValue((*lows)[d]),
                           high = getConstantIntValue((*highs)[d]);
    bool isUnknown = from.isDynamicDim(d) || !low || !high;
    if (!isConstantIntValue((*between)[d], 0) || low.value_or(0) < 0 ||
        high.value_or(0) < 0 || isUnknown != to.isDynamicDim(d) ||
        (!isUnknown && to.getDimSize(d) != from.getDimSize(d) + *low + *high))
      return failure();
  }
  for (int64_t d = 0; d < rank; ++d)
    for (OpFoldResult pad : {(*lows)[d], (*highs)[d]})
      assertThat(b, b.getIndexAttr(0), arith::CmpIPredicate::sle, pad,
                 "the padding of dimension " + Twine(d) + " is negative");
  rewriter.replaceOpWithNewOp<tensor::PadOp>(op, to, op->getOperand(0), *lows,
                                             *highs, b.constant(value));
  return success();
}

static LogicalResult lowerDimensionSize(Operation *op, RewriterBase &rewriter) {
  RankedTensorType type = getShapeType(op->getResult(0));
  if (!type || type.getRank() != 0 || op->getNumOperands() != 1)
    return failure();
  auto dim = dyn_cast_if_present<IntegerAttr>(op->getAttr("dimension"));
  RankedTensorType source = getType(op->getOperand(0));
  if (!dim || !source || dim.getValue().uge(source.getRank()))
    return failure();
  ElementBuilder b(rewriter, op->getLoc());
  Value extent = tensor::DimOp::create(
      b, op->getOperand(0),
      static_cast<int64_t>(dim.getValue().getZExtValue()));
  rewriter.replaceOpWithNewOp<tensor::FromElementsOp>(
      op, type, b.castIndex(type.getElementType(), extent));
  return success();
}

/// Lowers the custom call by which jax.export checks an extent. Keeps the error
/// message of the call, which names the polymorphic shape.
static LogicalResult lowerShapeAssertion(Operation *op,
                                         RewriterBase &rewriter) {
  auto target =
      dyn_cast_if_present<StringAttr>(op->getAttr("call_target_name"));
  auto message = dyn_cast_if_present<StringAttr>(op->getAttr("error_message"));
  if (!target || target.getValue() != "shape_assertion" || !message ||
      op->getNumOperands() == 0 ||
      op->getOperand(0).getType() !=
          RankedTensorType::get({}, rewriter.getI1Type()))
    return failure();
  Value holds = tensor::ExtractOp::create(rewriter, op->getLoc(),
                                          op->getOperand(0), ValueRange());
  cf::AssertOp::create(rewriter, op->getLoc(), holds, message);
  rewriter.eraseOp(op);
  return success();
}

using LowerFn = LogicalResult (*)(Operation *, RewriterBase &);

static LowerFn findLowering(Operation *op) {
  unsigned numResults = op->getNumResults();
  if (op->getNumRegions() != 0 || op->getNumSuccessors() != 0)
    return nullptr;
  StringRef name = hlo::getName(op);
  if (name == "custom_call")
    return numResults == 0 ? lowerShapeAssertion : nullptr;
  auto lower = llvm::StringSwitch<LowerFn>(name)
                   .Case("dynamic_broadcast_in_dim", lowerBroadcast)
                   .Case("dynamic_pad", lowerPad)
                   .Case("get_dimension_size", lowerDimensionSize)
                   .Case("real_dynamic_slice", lowerSlice)
                   .Default(nullptr);
  return numResults == 1 ? lower : nullptr;
}

namespace {
struct LowerStablehloExtentsPass
    : pool::impl::LowerStablehloExtentsBase<LowerStablehloExtentsPass> {
  void runOnOperation() override {
    SmallVector<std::pair<Operation *, LowerFn>> ops;
    getOperation()->walk([&](Operation *op) {
      if (LowerFn lower = findLowering(op))
        ops.emplace_back(op, lower);
    });
    IRRewriter rewriter(&getContext());
    for (auto [op, lower] : ops) {
      rewriter.setInsertionPoint(op);
      if (succeeded(lower(op, rewriter)))
        ++numLowered;
      else
        remarkLeftAlone(kPass, op,
                        "its types and attributes are not supported");
    }
  }
};
} // namespace
