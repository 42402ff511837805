// Raises gradients: window sums with base dilations, and select_and_scatter.
//
// The gradient of a window sum is a transposed convolution with a kernel of
// ones. For windows of 3 at stride 2, XLA puts a zero between the elements g0
// and g1 of the output's gradient (base dilation 2), pads, and sums windows of
// 3 at stride 1:
//
//   dilated and padded   0    0    g0   0    g1   0    0
//   window of sum 2                [g0  0    g1]
//   sums                 g0   g0   g0+g1     g1   g1
//
// The forward windows 0 and 1 share input element 2, whose gradient is g0 + g1.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Divisor.h"
#include "Order.h"
#include "ReduceWindow.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/IR/ScatterInference.h"
#include "pool/Dialect/Pool/IR/WindowProperties.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Averages
//===----------------------------------------------------------------------===//

/// Returns the window of a sum, given `backward`, the window of the reduction
/// that computes the gradient of this sum. Each element of the gradient adds
/// the output's gradients of all windows that cover the element.
///
/// Result i of `backward` sums g[(i - low + t * dilation) / stride] over all
/// taps t for which this index is an integer. Window o of the forward sum
/// covers i with its tap u if o * stride - pad + u * dilation = i. The two
/// equations agree for u = size - 1 - t and pad = (size - 1) * dilation - low.
static FailureOr<HloWindow> invertWindow(const HloWindow &backward,
                                         std::string &reason) {
  HloWindow forward(backward.size());
  for (auto [d, pair] : llvm::enumerate(llvm::zip_equal(forward, backward))) {
    auto &[to, from] = pair;
    if (from.stride != 1)
      return fail(reason,
                  llvm::formatv("it dilates its input and has a stride of {0} "
                                "in dimension {1}",
                                from.stride, d));
    int64_t reach = (from.size - 1) * from.dilation;
    to.size = from.size;
    to.dilation = from.dilation;
    to.stride = from.baseDilation;
    to.low = reach - from.low;
    // Ignore elements of the input after the last forward window. The check
    // below rejects `stride` or more of them, because then another window would
    // fit.
    to.high = std::max<int64_t>(reach - from.high, 0);
    if (to.low < 0 || from.high - reach >= to.stride)
      return fail(reason, "its padding in dimension " + Twine(d) +
                              " reaches further than its windows");
  }
  return forward;
}

/// True if a pool.avg_pool_grad over `placed` accepts an output gradient of
/// type `gradient`. Otherwise `reason` says why not.
static bool isAccepted(const PlacedWindow &placed, RankedTensorType gradient,
                       const AverageModes &modes, std::string &reason) {
  auto report = [&](const Twine &message) { return fail(reason, message); };
  WindowAttrs window = placed.window.getAttrs();
  return succeeded(verifyAvgPoolGrad(report, addUnitDims(placed, gradient),
                                     placed.type.getNumDynamicDims(), window,
                                     modes, placed.type)) &&
         succeeded(verifyCounts(report, placed.type, window, modes));
}

/// Finds the average whose gradient is computed. If `gradient` is the result of
/// a division by the divisor of an average over `forward`, returns the modes of
/// this average and sets `gradient` to the dividend. Otherwise returns the
/// modes of a sum.
static AverageModes getGradientDivisor(Value &gradient,
                                       const HloWindow &forward,
                                       RankedTensorType result) {
  AverageModes sum{Divisor::Valid, /*divisorOverride=*/1};
  Operation *op = gradient.getDefiningOp();
  if (!op || !gradient.hasOneUse())
    return sum;
  FailureOr<Division> division = matchDivision(op);
  if (failed(division))
    return sum;
  std::string ignored;
  FailureOr<AverageModes> modes =
      matchDivisor(*division, forward, result,
                   cast<RankedTensorType>(gradient.getType()), ignored);
  if (failed(modes) || modes->divisorOverride)
    return sum;
  gradient = division->dividend;
  return *modes;
}

LogicalResult pool::raiseSumGrad(ReduceWindow sum, RewriterBase &rewriter,
                                 std::string &reason) {
  if (!isExactSum(sum, reason))
    return failure();
  FailureOr<HloWindow> forward = invertWindow(sum.window, reason);
  if (failed(forward))
    return failure();
  RankedTensorType result = sum.getType();
  for (auto [d, dim] : llvm::enumerate(sum.window)) {
    bool isUnknown =
        result.isDynamicDim(d) || sum.getInputType().isDynamicDim(d);
    if (isUnknown && !dim.isTrivial())
      return fail(reason, "it dilates its input, and the extent of dimension " +
                              Twine(d) + " is unknown");
  }
  Operation *op = sum.op;
  FailureOr<PlacedWindow> placed =
      placeWindow(op->getResult(0), *forward, reason);
  if (failed(placed))
    return failure();
  Value gradient = sum.input;
  AverageModes modes = getGradientDivisor(gradient, *forward, result);
  auto gradientType = cast<RankedTensorType>(gradient.getType());
  if (!isAccepted(*placed, gradientType, modes, reason)) {
    gradient = sum.input;
    modes = {Divisor::Valid, /*divisorOverride=*/1};
    if (!isAccepted(*placed, gradientType, modes, reason))
      return failure();
  }

  remarkRaised(kStablehloToPoolName, op,
               modes.divisorOverride
                   ? "pool.avg_pool_grad with divisor_override 1"
                   : "pool.avg_pool_grad");
  Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  AvgPoolGradOp::Properties properties;
  setWindow(properties, placed->window.getAttrs());
  properties.divisor = modes.divisor;
  if (modes.divisorOverride)
    properties.divisor_override =
        rewriter.getI64IntegerAttr(*modes.divisorOverride);
  // Only dimensions without a window are dynamic here. Their extents are equal
  // in gradient and input, so read them from the gradient.
  SmallVector<Value> operands{addUnitDims(rewriter, loc, *placed, gradient)};
  for (auto [d, extent] : llvm::enumerate(placed->type.getShape()))
    if (ShapedType::isDynamic(extent))
      operands.push_back(
          tensor::DimOp::create(rewriter, loc, operands.front(), d));
  Value input = AvgPoolGradOp::create(rewriter, loc, TypeRange(placed->type),
                                      operands, properties)
                    .getResult();
  rewriter.replaceOp(op, removeUnitDims(rewriter, loc, *placed, input, result));
  return success();
}

//===----------------------------------------------------------------------===//
// Extrema
//===----------------------------------------------------------------------===//

namespace {
/// A checked stablehlo.select_and_scatter: the gradient of an extremum.
struct SelectAndScatter {
  Operation *op;
  ElementChoice choice;
  /// Tensor of the elements to choose from.
  Value input;
  Value gradient;
  HloWindow window;
};
} // namespace

static bool isAddition(Block &body) {
  Operation *add = body.back().getOperand(0).getDefiningOp();
  if (!add || add != &body.front() || add->getNextNode() != &body.back() ||
      hlo::getName(add) != "add" || add->getNumOperands() != 2 ||
      add->getResult(0).getType() != body.getArgument(0).getType())
    return false;
  Value lhs = add->getOperand(0), rhs = add->getOperand(1);
  return lhs != rhs && llvm::is_contained(body.getArguments(), lhs) &&
         llvm::is_contained(body.getArguments(), rhs);
}

static FailureOr<SelectAndScatter> matchSelectAndScatter(Operation *op,
                                                         std::string &reason) {
  if (op->getNumOperands() != 3 || op->getNumResults() != 1 ||
      op->getNumRegions() != 2 || op->getNumSuccessors() != 0)
    return fail(reason, "it does not take three operands and two regions");
  RankedTensorType type = getPoolableType(op->getOperand(0), reason);
  if (!type)
    return failure();
  Type element = type.getElementType();
  auto gradient = dyn_cast<RankedTensorType>(op->getOperand(1).getType());
  if (!isa<FloatType>(element))
    return fail(reason, "gradients are of floats");
  if (!gradient || gradient.getElementType() != element ||
      gradient.getRank() != type.getRank() || gradient.getEncoding() ||
      op->getOperand(2).getType() != RankedTensorType::get({}, element) ||
      op->getResult(0).getType() != type)
    return fail(reason, "the types of its operands and result differ");
  auto init = dyn_cast_if_present<FloatAttr>(hlo::getSplat(op->getOperand(2)));
  if (!init || !init.getValue().isPosZero())
    return fail(reason, "it does not start from zero");
  Block *select = hlo::getScalarBody(op->getRegion(0), element, 2, 1);
  std::optional<ElementChoice> choice;
  if (select)
    choice = matchSelect(*select);
  if (!choice)
    return fail(reason, "its select does not choose the first one of the "
                        "largest or the smallest elements");
  Block *scatter = hlo::getScalarBody(op->getRegion(1), element, 2, 1);
  if (!scatter || !isAddition(*scatter))
    return fail(reason, "its scatter does not add");
  FailureOr<HloWindow> window = readWindow(op, type.getRank(), reason);
  if (failed(window))
    return failure();
  for (HloDim &dim : *window) {
    if (dim.dilation != 1 || dim.baseDilation != 1 || dim.low < 0 ||
        dim.high < 0)
      return fail(reason, "its windows are dilated or cut off");
    // Reject overlapping windows of types narrower than f32: pool's gradients
    // accumulate these in f32 and round once.
    if (getFloatAccumulator(element) != element && dim.size > dim.stride)
      return fail(reason, llvm::formatv(
                              "its windows overlap and it accumulates in {0}, "
                              "pool.{1}_pool_grad in f32",
                              element, stringifyReduction(choice->reduction)));
  }
  return SelectAndScatter{op, *choice, op->getOperand(0), op->getOperand(1),
                          std::move(*window)};
}

/// If the only user of the result of `op` is a slice that removes the padding
/// of `pad` again, returns the slice. Otherwise returns null.
static Operation *getUnpadding(Operation *op, const HloPad &pad) {
  if (!op->getResult(0).hasOneUse())
    return nullptr;
  Operation *slice = *op->getResult(0).getUsers().begin();
  if (slice->getBlock() != op->getBlock() || slice->getNumResults() != 1 ||
      hlo::getProducer(slice->getResult(0), "slice", 1) != slice ||
      slice->getResult(0).getType() != pad.input.getType())
    return nullptr;
  auto type = cast<RankedTensorType>(pad.input.getType());
  unsigned rank = type.getRank();
  auto starts = hlo::getIntegers(slice, "start_indices", rank, -1);
  auto limits = hlo::getIntegers(slice, "limit_indices", rank, -1);
  auto strides = hlo::getIntegers(slice, "strides", rank, -1);
  if (!starts || !limits || !strides || !isAll(*strides, 1))
    return nullptr;
  for (unsigned d = 0; d < rank; ++d)
    if (type.isDynamicDim(d) || (*starts)[d] != pad.amounts[d].low ||
        (*limits)[d] - (*starts)[d] != type.getDimSize(d))
      return nullptr;
  return slice;
}

/// If a stablehlo.pad produces the input, tries to make this padding a part of
/// the window. This requires padding that is never chosen, and a slice that
/// removes it from the result. A pad of no elements is only skipped. Returns
/// the operation to replace: the slice, or `scatter.op` if the padding does not
/// become a part of the window.
static Operation *foldPadding(SelectAndScatter &scatter) {
  std::optional<HloPad> pad = matchPad(scatter.input);
  if (!pad || hasBaseDilation(pad->amounts) || hasNegativePadding(pad->amounts))
    return scatter.op;
  // Skip a pad of no elements, which JAX writes if there is no padding.
  if (!hasPadding(pad->amounts)) {
    scatter.input = pad->input;
    return scatter.op;
  }
  OpBuilder b(scatter.op->getContext());
  if (pad->value !=
      getIdentity(b, pad->value.getType(), scatter.choice.reduction))
    return scatter.op;
  Operation *slice = getUnpadding(scatter.op, *pad);
  if (!slice || !foldPad(scatter.window, *pad))
    return scatter.op;
  scatter.input = pad->input;
  return slice;
}

/// Returns the part of the remark about NaN and infinities, or an empty string.
/// In a window that contains these, StableHLO may choose another element than
/// the pooling.
static std::string explainChoice(const SelectAndScatter &scatter,
                                 bool foldsPadding) {
  std::string text;
  StringRef infinity = isMaximum(scatter.choice.reduction) ? "-inf" : "+inf";
  if (scatter.choice.nan == NanChoice::ByPlace)
    text = "of a window with NaN the first NaN is chosen, in StableHLO what "
           "comes after it";
  if (foldsPadding)
    text += llvm::formatv("{0}a window of {1} alone chooses its first element, "
                          "in StableHLO the padding before it",
                          text.empty() ? "" : "; ", infinity);
  return text;
}

LogicalResult pool::raiseSelectAndScatter(Operation *op, RewriterBase &rewriter,
                                          std::string &reason) {
  FailureOr<SelectAndScatter> scatter = matchSelectAndScatter(op, reason);
  if (failed(scatter))
    return failure();
  Operation *replaced = foldPadding(*scatter);
  FailureOr<PlacedWindow> placed =
      placeWindow(scatter->input, scatter->window, reason);
  if (failed(placed))
    return failure();
  auto gradient = cast<RankedTensorType>(scatter->gradient.getType());
  Reduction reduction = scatter->choice.reduction;
  auto report = [&](const Twine &message) { return fail(reason, message); };
  if (failed(verifyExtremumGrad(
          report, placed->type, addUnitDims(*placed, gradient),
          /*indices=*/TensorType(), placed->window.getAttrs(), reduction,
          /*axis=*/0, placed->type)))
    return failure();

  std::string name =
      llvm::formatv("pool.{0}_pool_grad", stringifyReduction(reduction));
  remarkRaised(kStablehloToPoolName, op, name,
               explainChoice(*scatter, replaced != op));
  Location loc = op->getLoc();
  rewriter.setInsertionPoint(replaced);
  MaxPoolGradOp::Properties properties;
  setWindow(properties, placed->window.getAttrs());
  properties.nan_mode = scatter->choice.nan == NanChoice::Ignore
                            ? NanMode::Ignore
                            : NanMode::Propagate;
  Operation *grad =
      createByName(loc, name,
                   {createSource(rewriter, loc, *placed),
                    addUnitDims(rewriter, loc, *placed, scatter->gradient)},
                   cast<DictionaryAttr>(MaxPoolGradOp::getPropertiesAsAttr(
                                            rewriter.getContext(), properties))
                       .getValue(),
                   placed->type);
  rewriter.insert(grad);
  rewriter.replaceOp(replaced,
                     removeUnitDims(rewriter, loc, *placed, grad->getResult(0),
                                    replaced->getResult(0).getType()));
  return success();
}
