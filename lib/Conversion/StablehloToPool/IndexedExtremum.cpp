// Raises reductions of elements together with their positions (argmax). The
// second input numbers the elements in row-major order over the dimensions from
// `axis` on, and repeats before them. For a tensor<2x2x3> and axis 1:
//
//   positions   0 1 2    0 1 2
//               3 4 5    3 4 5
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Order.h"
#include "ReduceWindow.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns the product of the extents of the dimensions from `axis` on, or
/// nothing if an extent is unknown or the product overflows.
static std::optional<int64_t> countPositions(RankedTensorType type,
                                             int64_t axis) {
  ArrayRef<int64_t> shape = type.getShape().drop_front(axis);
  if (ShapedType::isDynamicShape(shape))
    return std::nullopt;
  return getProduct(shape);
}

/// Returns the first dimension `axis` such that `positions` holds row-major
/// numbers over the dimensions from `axis` on. Returns nothing unless
/// `positions` is an iota, which may be reshaped, and then broadcast along the
/// dimensions before `axis`.
static std::optional<int64_t> matchPositions(Value positions) {
  auto type = cast<RankedTensorType>(positions.getType());
  int64_t rank = type.getRank(), axis = 0;
  // Skip broadcasts along the leading dimensions.
  for (unsigned i = 0; i < hlo::kMaxChain; ++i) {
    Operation *op = hlo::getProducer(positions, "broadcast_in_dim", 1);
    if (!op)
      break;
    auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    if (!from || from.getRank() > rank)
      return std::nullopt;
    auto dims =
        hlo::getIntegers(op, "broadcast_dimensions", from.getRank(), -1);
    if (!dims)
      return std::nullopt;
    for (auto [i, d] : llvm::enumerate(*dims)) {
      if (d != rank - from.getRank() + static_cast<int64_t>(i))
        return std::nullopt;
      if (from.getDimSize(i) != type.getDimSize(d))
        axis = std::max<int64_t>(axis, d + 1);
    }
    axis = std::max<int64_t>(axis, rank - from.getRank());
    positions = op->getOperand(0);
  }
  if (Operation *op = hlo::getProducer(positions, "reshape", 1))
    positions = op->getOperand(0);
  Operation *iota = hlo::getProducer(positions, "iota", 0);
  auto line = iota ? dyn_cast<RankedTensorType>(positions.getType())
                   : RankedTensorType();
  auto dimension =
      iota ? dyn_cast_if_present<IntegerAttr>(iota->getAttr("iota_dimension"))
           : IntegerAttr();
  if (!line || line.getRank() != 1 || !dimension || !line.hasStaticShape() ||
      !dimension.getValue().isZero() || axis >= rank ||
      line.getNumElements() != countPositions(type, axis))
    return std::nullopt;
  return axis;
}

/// True if every element beats the initial value and index: the value is the
/// identity of `reduction`, and the index is at least `numPositions`.
static bool hasNeutralStart(Operation *op, Reduction reduction,
                            int64_t numPositions) {
  auto value = dyn_cast_if_present<FloatAttr>(hlo::getSplat(op->getOperand(2)));
  auto index =
      dyn_cast_if_present<IntegerAttr>(hlo::getSplat(op->getOperand(3)));
  OpBuilder b(op->getContext());
  return value && value == getIdentity(b, value.getType(), reduction) &&
         index && !index.getValue().slt(numPositions);
}

/// Returns what the remark says about NaN: how the pooling's choice differs
/// from StableHLO's. Returns an empty string if they do not differ.
static StringRef explainChoice(NanChoice nan) {
  switch (nan) {
  case NanChoice::PropagateAny:
    return "of several NaN in a window the first one is chosen, in StableHLO "
           "one that its place decides";
  case NanChoice::ByPlace:
    return "of a window with NaN the first NaN is chosen, in StableHLO an "
           "element that its place decides";
  case NanChoice::Propagate:
  case NanChoice::Ignore:
    return "";
  }
  llvm_unreachable("unknown choice");
}

LogicalResult pool::raiseIndexedExtremum(Operation *op, RewriterBase &rewriter,
                                         std::string &reason) {
  if (op->getNumOperands() != 4 || op->getNumResults() != 2 ||
      op->getNumRegions() != 1 || op->getNumSuccessors() != 0)
    return fail(reason, "it reduces neither one tensor nor two");
  RankedTensorType type = getPoolableType(op->getOperand(0), reason);
  if (!type)
    return failure();
  Type element = type.getElementType();
  auto indexType = dyn_cast<RankedTensorType>(op->getOperand(1).getType());
  Type index = indexType ? indexType.getElementType() : Type();
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!index ||
      (!index.isSignlessInteger(32) && !index.isSignlessInteger(64)) ||
      indexType.getShape() != type.getShape() || indexType.getEncoding() ||
      !isa<FloatType>(element) || !result ||
      result.getElementType() != element || result.getEncoding() ||
      result.getRank() != type.getRank() ||
      op->getResult(1).getType() != result.clone(index) ||
      op->getOperand(2).getType() != RankedTensorType::get({}, element) ||
      op->getOperand(3).getType() != RankedTensorType::get({}, index))
    return fail(reason,
                "it does not reduce floats and positions of type i32 or i64");
  Block *body = hlo::getScalarBody(op->getRegion(0), {element, index}, 4, 2);
  std::optional<ElementChoice> choice;
  if (body)
    choice = matchIndexedExtremum(*body);
  if (!choice)
    return fail(reason, "its body does not choose the first one of the largest "
                        "or the smallest elements");
  FailureOr<HloWindow> window = readWindow(op, type.getRank(), reason);
  if (failed(window))
    return failure();
  std::optional<int64_t> axis = matchPositions(op->getOperand(1));
  std::optional<int64_t> numPositions;
  if (axis)
    numPositions = countPositions(type, *axis);
  if (!numPositions)
    return fail(reason, "its second tensor does not count the elements");
  if (!hasNeutralStart(op, choice->reduction, *numPositions))
    return fail(
        reason,
        "it does not start from infinity and an index after all others");
  if (hasNegativePadding(*window))
    return fail(
        reason,
        "its padding is negative, and indices would count what is left");

  FailureOr<PlacedWindow> placed =
      placeWindow(op->getOperand(0), *window, reason);
  if (failed(placed))
    return failure();
  // Before `axis`, positions repeat. In a window that spans such a dimension,
  // the least position need not be that of the first element.
  for (int64_t d = 0; d < *axis; ++d)
    if (!(*window)[d].isTrivial())
      return fail(reason,
                  "its positions do not count a dimension that has a window");
  ExtremumModes modes(*axis + (*axis == 0 ? 0 : placed->numUnitDims),
                      getNeverChosen(choice->reduction), NanMode::Propagate);
  auto report = [&](const Twine &message) { return fail(reason, message); };
  WindowAttrs attrs = placed->window.getAttrs();
  if (!fitsResult(*placed,
                  inferExtremumPool(report, placed->type, attrs,
                                    choice->reduction, modes, index),
                  result, reason))
    return failure();
  // Reject windows that contain only padding: their index is the initial one in
  // StableHLO, and 0 in the pool dialect.
  if (failed(verifyCounts(report, placed->type, attrs, AverageModes())))
    return failure();

  remarkRaised(
      kStablehloToPoolName, op,
      ("pool." + stringifyReduction(choice->reduction) + "_pool with indices")
          .str(),
      explainChoice(choice->nan));
  Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  ExtremumOpInterface pooled = createExtremumPool(
      rewriter, loc, choice->reduction, createSource(rewriter, loc, *placed),
      attrs, modes, index);
  rewriter.replaceOp(
      op, {removeUnitDims(rewriter, loc, *placed, pooled.getValues(), result),
           removeUnitDims(rewriter, loc, *placed, pooled.getIndices(),
                          op->getResult(1).getType())});
  return success();
}
