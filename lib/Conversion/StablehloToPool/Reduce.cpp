// Raises stablehlo.reduce over whole dimensions to pooling with one window.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Divisor.h"
#include "ReduceWindow.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace mlir::pool;

/// Matches a stablehlo.reduce as a reduction with one window, which spans the
/// reduced dimensions. Sets `kept` to the type of the result before these
/// dimensions are removed: they have extent 1 in it. On failure, `reason` says
/// why.
static FailureOr<ReduceWindow>
matchReduce(Operation *op, RankedTensorType &kept, std::string &reason) {
  FailureOr<ReduceWindow> match = matchReducer(op, reason);
  if (failed(match))
    return failure();
  RankedTensorType type = match->getInputType();
  auto list = dyn_cast_if_present<DenseI64ArrayAttr>(op->getAttr("dimensions"));
  if (!list || list.empty())
    return fail(reason, "it has no list of dimensions");
  match->window = HloWindow(type.getRank());
  SmallVector<int64_t> shape(type.getShape()), dropped;
  for (int64_t d : list.asArrayRef()) {
    if (d < 0 || d >= type.getRank() || type.isDynamicDim(d) ||
        type.getDimSize(d) < 1 || !llvm::isInt<32>(type.getDimSize(d)) ||
        llvm::is_contained(dropped, d))
      return fail(reason, "its dimensions are not known extents of its input");
    match->window[d].size = type.getDimSize(d);
    shape[d] = 1;
    dropped.push_back(d);
  }
  kept = RankedTensorType::get(shape, type.getElementType());
  SmallVector<int64_t> left;
  for (auto [d, extent] : llvm::enumerate(type.getShape()))
    if (!llvm::is_contained(dropped, static_cast<int64_t>(d)))
      left.push_back(extent);
  if (match->getType() != RankedTensorType::get(left, type.getElementType()))
    return fail(reason, "its result type is not the one of its dimensions");
  if (ShapedType::isDynamicShape(left) &&
      !getReassociationIndicesForCollapse(shape, left))
    return fail(
        reason,
        "its unknown extents cannot be told apart without its dimensions");
  return match;
}

/// Replaces `op` by a reshape of `pooled`, which removes the reduced
/// dimensions.
static void replace(Operation *op, Value pooled, RewriterBase &rewriter) {
  auto kept = cast<RankedTensorType>(pooled.getType());
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (type.hasStaticShape()) {
    rewriter.replaceOp(
        op, hlo::create(rewriter, op->getLoc(), "reshape", type, pooled));
    return;
  }
  // A stablehlo.reshape requires known extents. So use tensor.collapse_shape if
  // an extent is unknown.
  rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
      op, type, pooled,
      *getReassociationIndicesForCollapse(kept.getShape(), type.getShape()));
}

LogicalResult pool::raiseGlobalAverage(Operation *division,
                                       RewriterBase &rewriter,
                                       std::string &reason) {
  FailureOr<Division> parts = matchDivision(division);
  Operation *op = succeeded(parts) ? parts->dividend.getDefiningOp() : nullptr;
  if (!op || hlo::getName(op) != "reduce" ||
      op->getBlock() != division->getBlock() || !parts->dividend.hasOneUse())
    return failure();
  RankedTensorType kept;
  FailureOr<ReduceWindow> sum = matchReduce(op, kept, reason);
  if (failed(sum) || sum->reduction != Reduction::Sum ||
      !isExactSum(*sum, reason) || !hlo::getSplat(parts->divisor))
    return failure();
  FailureOr<AverageModes> modes = matchDivisor(
      *parts, sum->window, sum->getInputType(), sum->getType(), reason);
  if (failed(modes) || modes->divisorOverride)
    return failure();
  FailureOr<PlacedWindow> placed = planAverage(*sum, *modes, kept, reason);
  if (failed(placed))
    return failure();
  remarkRaised(kStablehloToPoolName, op, "pool.avg_pool");
  replace(division, createAverage(division, *placed, *modes, kept, rewriter),
          rewriter);
  return success();
}

LogicalResult pool::raiseReduce(Operation *op, RewriterBase &rewriter,
                                std::string &reason) {
  RankedTensorType kept;
  FailureOr<ReduceWindow> match = matchReduce(op, kept, reason);
  if (failed(match))
    return failure();
  if (match->reduction == Reduction::Sum) {
    if (!isExactSum(*match, reason))
      return failure();
    AverageModes modes{Divisor::Valid, /*divisorOverride=*/1};
    FailureOr<PlacedWindow> placed = planAverage(*match, modes, kept, reason);
    if (failed(placed))
      return failure();
    remarkRaised(kStablehloToPoolName, op,
                 "pool.avg_pool with divisor_override 1");
    replace(op, createAverage(op, *placed, modes, kept, rewriter), rewriter);
    return success();
  }
  if (!startsFromIdentity(*match))
    return fail(reason, "it does not start from infinity");
  ExtremumModes modes = getModes(*match);
  FailureOr<PlacedWindow> placed = planExtremum(*match, modes, kept, reason);
  if (failed(placed))
    return failure();
  remarkRaised(
      kStablehloToPoolName, op,
      ("pool." + stringifyReduction(match->reduction) + "_pool").str());
  replace(op, createExtremum(*match, *placed, modes, kept, rewriter), rewriter);
  return success();
}
