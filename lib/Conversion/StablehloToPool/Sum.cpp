// Raises sums of windows, and divided sums to averages.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Divisor.h"
#include "ReduceWindow.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;

bool pool::isExactSum(const ReduceWindow &sum, std::string &reason) {
  Type element = sum.getInputType().getElementType();
  if (isa<IntegerType>(element)) {
    reason = "its integer sum wraps, where pool.avg_pool saturates";
    return false;
  }
  if (Type ours = getFloatAccumulator(element); ours != element) {
    reason = llvm::formatv("it accumulates in {0}, pool.avg_pool in {1}",
                           element, ours);
    return false;
  }
  auto init = dyn_cast_if_present<FloatAttr>(hlo::getSplat(sum.init));
  if (!init || !init.getValue().isPosZero()) {
    reason = "its sum does not start from zero";
    return false;
  }
  return true;
}

void pool::foldZeroPadding(ReduceWindow &sum) {
  std::optional<HloPad> pad = matchPad(sum.input);
  auto value = pad ? dyn_cast<FloatAttr>(pad->value) : FloatAttr();
  // The sum starts from +0. Adding +0 or -0 does not change it, so such padding
  // can belong to the window.
  if (value && value.getValue().isZero() && foldPad(sum.window, *pad))
    sum.input = pad->input;
}

FailureOr<PlacedWindow> pool::planAverage(const ReduceWindow &sum,
                                          const AverageModes &modes,
                                          RankedTensorType result,
                                          std::string &reason) {
  FailureOr<PlacedWindow> placed = placeWindow(sum.input, sum.window, reason);
  if (failed(placed) ||
      !fitsResult(*placed,
                  inferAvgPool(placed->type, placed->window, modes, reason),
                  result, reason))
    return failure();
  return placed;
}

Value pool::createAverage(Operation *op, const PlacedWindow &placed,
                          const AverageModes &modes, Type result,
                          RewriterBase &rewriter) {
  Location loc = op->getLoc();
  rewriter.setInsertionPoint(op);
  Value pooled =
      createAvgPool(rewriter, loc, createSource(rewriter, loc, placed),
                    placed.window.getAttrs(), modes)
          .getOutput();
  return removeUnitDims(rewriter, loc, placed, pooled, result);
}

LogicalResult pool::raiseSum(ReduceWindow sum, RewriterBase &rewriter,
                             std::string &reason) {
  std::string whyNoAverage;
  std::swap(whyNoAverage, reason);
  if (!isExactSum(sum, reason))
    return failure();
  foldZeroPadding(sum);
  AverageModes modes{Divisor::Valid, /*divisorOverride=*/1};
  RankedTensorType type = sum.getType();
  FailureOr<PlacedWindow> placed = planAverage(sum, modes, type, reason);
  if (failed(placed))
    return failure();
  remarkRaised(kStablehloToPoolName, sum.op,
               "pool.avg_pool with divisor_override 1", whyNoAverage);
  rewriter.replaceOp(sum.op,
                     createAverage(sum.op, *placed, modes, type, rewriter));
  return success();
}

LogicalResult pool::raiseAverage(Operation *division, RewriterBase &rewriter,
                                 std::string &reason) {
  FailureOr<Division> parts = matchDivision(division);
  if (failed(parts))
    return failure();
  Operation *op = parts->dividend.getDefiningOp();
  // Require one block: otherwise, a sum might move from outside a loop into the
  // loop.
  if (!op || hlo::getName(op) != "reduce_window" ||
      op->getBlock() != division->getBlock() || !parts->dividend.hasOneUse())
    return failure();
  FailureOr<ReduceWindow> sum = matchReduceWindow(op, reason);
  if (failed(sum) || sum->reduction != Reduction::Sum ||
      hasBaseDilation(sum->window) || !isExactSum(*sum, reason) ||
      sum->getType() != division->getResult(0).getType())
    return failure();

  // The divisor may count the elements of the window with the padding folded
  // into it, or of the window as written. Try the folded window first, because
  // it needs no pad.
  RankedTensorType type = sum->getType();
  ReduceWindow folded = *sum;
  foldZeroPadding(folded);
  for (const ReduceWindow &candidate : {folded, *sum}) {
    if (hasBaseDilation(candidate.window))
      continue;
    FailureOr<AverageModes> modes = matchDivisor(
        *parts, candidate.window, candidate.getInputType(), type, reason);
    if (failed(modes))
      continue;
    FailureOr<PlacedWindow> placed =
        planAverage(candidate, *modes, type, reason);
    if (failed(placed))
      continue;
    remarkRaised(kStablehloToPoolName, op, "pool.avg_pool");
    rewriter.replaceOp(
        division, createAverage(division, *placed, *modes, type, rewriter));
    return success();
  }
  return failure();
}
