// Recognizes divisors that are the number of elements in each window.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Divisor.h"

#include "ReduceWindow.h"
#include "llvm/ADT/APSInt.h"

using namespace mlir;
using namespace mlir::pool;

FailureOr<Division> pool::matchDivision(Operation *op) {
  if (op->getNumOperands() != 2 || op->getNumResults() != 1 ||
      op->getNumRegions() != 0 ||
      op->getOperand(0).getType() != op->getResult(0).getType() ||
      op->getOperand(1).getType() != op->getResult(0).getType())
    return failure();
  if (hlo::getName(op) == "divide")
    return Division{op->getOperand(0), op->getOperand(1), /*isProduct=*/false};
  if (hlo::getName(op) != "multiply")
    return failure();
  unsigned factor = hlo::getSplat(op->getOperand(1)) ? 1 : 0;
  if (!hlo::getSplat(op->getOperand(factor)))
    return failure();
  return Division{op->getOperand(1 - factor), op->getOperand(factor),
                  /*isProduct=*/true};
}

/// Returns `number`, or its exact inverse if `isReciprocal`, as a positive
/// integer. On failure, `reason` says why there is no such integer.
static FailureOr<int64_t> getInteger(APFloat number, bool isReciprocal,
                                     std::string &reason) {
  if (isReciprocal) {
    APFloat inverse(number.getSemantics());
    if (!number.getExactInverse(&inverse))
      return fail(reason, "it is multiplied by a rounded reciprocal, which "
                          "rounds differently from a division");
    number = inverse;
  }
  APSInt integer(64, /*isUnsigned=*/false);
  bool isExact;
  if (number.convertToInteger(integer, APFloat::rmTowardZero, &isExact) !=
          APFloat::opOK ||
      integer.getSExtValue() < 1)
    return fail(reason, "its divisor is no positive integer");
  return integer.getSExtValue();
}

static std::optional<int64_t> getNumTaps(const HloWindow &window) {
  return getProduct(
      llvm::map_to_vector(window, [](const HloDim &dim) { return dim.size; }));
}

static AverageModes getConstantModes(int64_t number, const HloWindow &window) {
  if (getNumTaps(window) != number)
    return {Divisor::Valid, /*divisorOverride=*/number};
  return {hasPadding(window) ? Divisor::Kernel : Divisor::Valid, std::nullopt};
}

/// Looks through broadcasts that keep the rank and only expand dimensions of
/// extent 1. Returns the value that they broadcast.
static Value skipBroadcasts(Value value) {
  for (unsigned i = 0; i < hlo::kMaxChain; ++i) {
    Operation *op = hlo::getBroadcast(value);
    if (!op)
      break;
    auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    auto to = dyn_cast<RankedTensorType>(value.getType());
    if (!from || !to || from.getRank() != to.getRank())
      break;
    auto dims =
        hlo::getIntegers(op, "broadcast_dimensions", from.getRank(), -1);
    if (!dims || *dims != llvm::to_vector(llvm::seq<int64_t>(from.getRank())))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// True if `counts` has the number of elements that each window of `input`
/// contains. Such a tensor is a sum of ones over the same windows. In
/// dimensions without a window, `counts` may have any extent.
static bool isCount(Value counts, const HloWindow &window,
                    RankedTensorType input) {
  Operation *op = counts.getDefiningOp();
  std::string ignored;
  if (!op || hlo::getName(op) != "reduce_window")
    return false;
  FailureOr<ReduceWindow> sum = matchReduceWindow(op, ignored);
  if (failed(sum) || sum->reduction != Reduction::Sum ||
      !isExactSum(*sum, ignored) || sum->window.size() != window.size())
    return false;
  auto ones = dyn_cast_if_present<FloatAttr>(hlo::getSplat(sum->input));
  if (!ones || !ones.getValue().isExactlyValue(1.0))
    return false;
  // Reject windows of more elements than f32 can count exactly.
  std::optional<int64_t> most = getNumTaps(window);
  if (!most || *most > int64_t(1) << 24)
    return false;
  for (auto [d, pair] : llvm::enumerate(llvm::zip_equal(sum->window, window))) {
    auto &[ours, theirs] = pair;
    if (ours.isTrivial() && theirs.isTrivial())
      continue;
    // The end pads may differ, because they contain no ones. The extents must
    // be equal, because they limit the count of a window at the end.
    if (ours.size != theirs.size || ours.stride != theirs.stride ||
        (ours.size != 1 && ours.dilation != theirs.dilation) ||
        ours.baseDilation != 1 || theirs.baseDilation != 1 ||
        ours.low != theirs.low || ours.low < 0 || ours.high < 0 ||
        theirs.high < 0 || input.isDynamicDim(d) ||
        sum->getInputType().getDimSize(d) != input.getDimSize(d))
      return false;
  }
  return true;
}

FailureOr<AverageModes> pool::matchDivisor(const Division &division,
                                           const HloWindow &window,
                                           RankedTensorType input,
                                           RankedTensorType output,
                                           std::string &reason) {
  if (auto number =
          dyn_cast_if_present<FloatAttr>(hlo::getSplat(division.divisor))) {
    FailureOr<int64_t> integer =
        getInteger(number.getValue(), division.isProduct, reason);
    if (failed(integer))
      return failure();
    return getConstantModes(*integer, window);
  }
  reason = "its divisor is neither a constant nor the number of elements in "
           "each window";
  Value counts = skipBroadcasts(division.divisor);
  if (division.isProduct || !isCount(counts, window, input))
    return failure();
  // Reject a broadcast that repeats the count of one window for several
  // windows.
  for (auto [d, dim] : llvm::enumerate(window))
    if (!dim.isTrivial() &&
        cast<RankedTensorType>(counts.getType()).getDimSize(d) !=
            output.getDimSize(d))
      return failure();
  reason.clear();
  return AverageModes();
}
