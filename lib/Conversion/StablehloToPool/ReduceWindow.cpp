// Recognizes reductions of windows, and raises extrema.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReduceWindow.h"

#include "pool/Dialect/Pool/Utils/Reductions.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;

RankedTensorType pool::getPoolableType(Value value, std::string &reason) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    reason = "its input is no ranked tensor";
  else if (!isPoolElementType(type.getElementType()))
    reason = "pool operations do not take its element type";
  else if (type.getEncoding())
    reason = "pool operations do not take tensors with an encoding";
  else
    return type;
  return {};
}

/// Returns the reduction that the body applies to its two arguments. Returns
/// nothing if the body is more than one maximum, minimum or addition.
static std::optional<Reduction> matchReduction(Block &body) {
  Operation *combine = body.back().getOperand(0).getDefiningOp();
  if (!combine || combine->getBlock() != &body || &body.front() != combine ||
      combine->getNumOperands() != 2 || combine->getNumResults() != 1 ||
      combine->getNumRegions() != 0 ||
      combine->getResult(0).getType() != body.getArgument(0).getType() ||
      combine->getNextNode() != &body.back())
    return std::nullopt;
  Value lhs = combine->getOperand(0), rhs = combine->getOperand(1);
  if (lhs == body.getArgument(1))
    std::swap(lhs, rhs);
  if (lhs != body.getArgument(0) || rhs != body.getArgument(1))
    return std::nullopt;
  return llvm::StringSwitch<std::optional<Reduction>>(hlo::getName(combine))
      .Case("maximum", Reduction::Max)
      .Case("minimum", Reduction::Min)
      .Case("add", Reduction::Sum)
      .Default(std::nullopt);
}

FailureOr<ReduceWindow> pool::matchReducer(Operation *op, std::string &reason) {
  if (op->getNumOperands() != 2 || op->getNumResults() != 1 ||
      op->getNumRegions() != 1 || op->getNumSuccessors() != 0)
    return fail(reason, "it is no reduction of one tensor");
  RankedTensorType type = getPoolableType(op->getOperand(0), reason);
  if (!type)
    return failure();
  Type element = type.getElementType();
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!result || result.getElementType() != element || result.getEncoding() ||
      op->getOperand(1).getType() != RankedTensorType::get({}, element))
    return fail(reason,
                "the types of its input, initial value and result differ");
  Block *body = hlo::getScalarBody(op->getRegion(0), element, 2, 1);
  std::optional<Reduction> reduction;
  if (body)
    reduction = matchReduction(*body);
  if (!reduction)
    return fail(reason,
                "its body is no maximum, minimum or sum of its arguments");
  return ReduceWindow{op, *reduction, op->getOperand(0), op->getOperand(1), {}};
}

FailureOr<ReduceWindow> pool::matchReduceWindow(Operation *op,
                                                std::string &reason) {
  FailureOr<ReduceWindow> match = matchReducer(op, reason);
  if (failed(match))
    return failure();
  unsigned rank = match->getInputType().getRank();
  if (match->getType().getRank() != rank)
    return fail(reason,
                "the types of its input, initial value and result differ");
  FailureOr<HloWindow> window = readWindow(op, rank, reason);
  if (failed(window))
    return failure();
  match->window = std::move(*window);
  return match;
}

//===----------------------------------------------------------------------===//
// Extrema
//===----------------------------------------------------------------------===//

/// True if the extremum of `a` and `b` is `b`, so that `a` has no effect.
static bool isAbsorbed(TypedAttr a, TypedAttr b, Reduction reduction) {
  if (!isMaximum(reduction))
    std::swap(a, b);
  if (auto number = dyn_cast<FloatAttr>(a)) {
    APFloat::cmpResult order =
        number.getValue().compare(cast<FloatAttr>(b).getValue());
    // Compare the attributes for equality: +0 and -0 are equal as numbers, but
    // differ.
    return order == APFloat::cmpLessThan || a == b;
  }
  APInt lhs = cast<IntegerAttr>(a).getValue();
  APInt rhs = cast<IntegerAttr>(b).getValue();
  return a.getType().isUnsignedInteger() ? lhs.ule(rhs) : lhs.sle(rhs);
}

static bool isPositiveZero(TypedAttr value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return number.getValue().isPosZero();
  return cast<IntegerAttr>(value).getValue().isZero();
}

/// True if `value` is the identity of `reduction`: combined with any other
/// number, it gives the other number.
static bool isNeutral(TypedAttr value, Reduction reduction) {
  OpBuilder b(value.getContext());
  TypedAttr identity = getIdentity(b, value.getType(), reduction);
  if (auto number = dyn_cast<IntegerAttr>(value))
    return number.getValue() == cast<IntegerAttr>(identity).getValue();
  return value == identity;
}

ExtremumModes pool::getModes(const ReduceWindow &extremum) {
  Type element = extremum.getInputType().getElementType();
  return {/*axis=*/0, getNeverChosen(extremum.reduction),
          isa<FloatType>(element) ? NanMode::Propagate : NanMode::Ignore};
}

bool pool::startsFromIdentity(const ReduceWindow &extremum) {
  TypedAttr init = hlo::getSplat(extremum.init);
  return init && isNeutral(init, extremum.reduction);
}

/// If a stablehlo.pad produces the input and its value is never chosen, makes
/// the pad part of the window. Does the same for a pad of zeros if the window
/// has no other padding, and then sets `padValue` to zero.
static void foldExtremumPadding(ReduceWindow &extremum, TypedAttr init,
                                PadValue &padValue) {
  std::optional<HloPad> pad = matchPad(extremum.input);
  if (!pad || hasBaseDilation(pad->amounts))
    return;
  bool isNever = isNeutral(pad->value, extremum.reduction) ||
                 (init && isAbsorbed(pad->value, init, extremum.reduction));
  bool isZero = isPositiveZero(pad->value) && !hasPadding(extremum.window);
  if ((!isNever && !isZero) || !foldPad(extremum.window, *pad))
    return;
  extremum.input = pad->input;
  if (!isNever)
    padValue = PadValue::Zero;
}

FailureOr<PlacedWindow> pool::planExtremum(const ReduceWindow &extremum,
                                           const ExtremumModes &modes,
                                           RankedTensorType result,
                                           std::string &reason) {
  FailureOr<PlacedWindow> placed =
      placeWindow(extremum.input, extremum.window, reason);
  if (failed(placed) ||
      !fitsResult(*placed,
                  inferExtremumPool(placed->type, placed->window,
                                    extremum.reduction, modes, reason),
                  result, reason))
    return failure();
  return placed;
}

Value pool::createExtremum(const ReduceWindow &extremum,
                           const PlacedWindow &placed,
                           const ExtremumModes &modes, Type result,
                           RewriterBase &rewriter) {
  Location loc = extremum.op->getLoc();
  rewriter.setInsertionPoint(extremum.op);
  Value pooled = createExtremumPool(rewriter, loc, extremum.reduction,
                                    createSource(rewriter, loc, placed),
                                    placed.window.getAttrs(), modes)
                     .getValues();
  return removeUnitDims(rewriter, loc, placed, pooled, result);
}

LogicalResult pool::raiseExtremum(ReduceWindow extremum, RewriterBase &rewriter,
                                  std::string &reason) {
  Operation *op = extremum.op;
  Reduction reduction = extremum.reduction;
  ExtremumModes modes = getModes(extremum);
  bool keepsInit = !startsFromIdentity(extremum);
  foldExtremumPadding(extremum, hlo::getSplat(extremum.init), modes.padValue);
  RankedTensorType type = extremum.getType();
  FailureOr<PlacedWindow> placed = planExtremum(extremum, modes, type, reason);
  if (failed(placed))
    return failure();

  remarkRaised(kStablehloToPoolName, op,
               llvm::formatv("pool.{0}_pool{1}", stringifyReduction(reduction),
                             keepsInit ? (" and a " + getNoun(reduction) +
                                          " with what it starts from")
                                             .str()
                                       : "")
                   .str());
  Value pooled = createExtremum(extremum, *placed, modes, type, rewriter);
  if (keepsInit) {
    Value init =
        hlo::createBroadcast(rewriter, op->getLoc(), extremum.init, type, {});
    pooled = hlo::create(rewriter, op->getLoc(), getNoun(reduction), type,
                         {pooled, init});
  }
  rewriter.replaceOp(op, pooled);
  return success();
}
