// Checks whether StableHLO computes the same results as a pooling operation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HloPlan.h"

#include "InferWithReason.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::pool;

bool HloPlan::coversPadding() const {
  return llvm::any_of(dims, [](const ResolvedDim &dim) {
    return dim.padBegin != 0 || dim.getCoveredEnd() != 0;
  });
}

bool HloPlan::hasEmptyWindow() const {
  return llvm::any_of(dims, [](const ResolvedDim &dim) {
    return getFirstEmptyWindow(dim, Divisor::Valid).has_value();
  });
}

static InFlightDiagnostic fail(Operation *op) {
  return op->emitOpError("cannot be converted to StableHLO: ");
}

static LogicalResult checkExtremum(ExtremumOpInterface op,
                                   const HloPlan &plan) {
  const auto [axis, padValue, nanMode] = op.getModes();
  (void)axis, (void)padValue;
  if (!op.getIndices())
    return success();
  if (ignoresNaN(nanMode) &&
      isa<FloatType>(getElementTypeOrSelf(op.getInput())))
    return fail(op) << "no reduction of pairs has the indices of nan_mode "
                       "ignore";
  if (plan.hasEmptyWindow())
    return fail(op) << "a window of padding alone has the index 0";
  // The StableHLO reduction compares positions in the whole plane, which may
  // need more bits than indices along one axis.
  auto type = cast<RankedTensorType>(op.getInput().getType());
  std::optional<int64_t> count =
      getProduct(type.getShape().drop_front(op.getWindow().getSpatialDim(0)));
  unsigned bits = getElementTypeOrSelf(op.getIndices()).getIntOrFloatBitWidth();
  if (!count || (bits == 32 && *count > kMaxI32IndexBound))
    return fail(op) << "its indices cannot count the elements of a plane";
  return success();
}

static LogicalResult checkGradient(ExtremumGradOpInterface op,
                                   const HloPlan &plan) {
  if (op.getIndices())
    return fail(op) << "select_and_scatter takes no indices";
  for (const ResolvedDim &dim : plan.dims)
    if (dim.kernel != 1 && dim.dilation != 1)
      return fail(op) << "select_and_scatter has no dilation, and it is "
                      << dim.dilation;
  if (plan.hasEmptyWindow())
    return fail(op) << "a window of padding alone chooses nothing";
  return success();
}

/// Emits an error and fails unless StableHLO can compute the results of `op`
/// over the windows of `plan`.
static LogicalResult checkOperation(Operation *op, const HloPlan &plan) {
  if (auto extremum = dyn_cast<ExtremumOpInterface>(op))
    return checkExtremum(extremum, plan);
  if (auto gradient = dyn_cast<ExtremumGradOpInterface>(op))
    return checkGradient(gradient, plan);
  if (isa<AvgPoolGradOp>(op))
    return success();
  if (auto norm = dyn_cast<LpPoolOp>(op)) {
    if (norm.getP() > 2)
      return fail(op) << "p is " << norm.getP()
                      << ", and only sums and roots of squares are exact";
    return success();
  }
  if (auto average = dyn_cast<AvgPoolOp>(op)) {
    if (isa<FloatType>(getElementTypeOrSelf(average.getInput())))
      return success();
    return fail(op) << "averages of integers are rounded, those of StableHLO "
                       "are not";
  }
  return fail(op) << "StableHLO has no such operation";
}

FailureOr<HloPlan> pool::planHlo(Operation *op) {
  HloPlan plan{dyn_cast<WindowAttrsOpInterface>(op), {}};
  if (!plan.op)
    return fail(op) << "StableHLO has no such operation";
  auto type = dyn_cast<RankedTensorType>(plan.op.getWindowedType());
  auto isStatic = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? tensor.hasStaticShape() : isa<IndexType>(type);
  };
  if (!type || !llvm::all_of(op->getOperandTypes(), isStatic) ||
      !llvm::all_of(op->getResultTypes(), isStatic))
    return fail(op) << "its extents are not known";
  if (!isPoolElementType(type.getElementType()) ||
      type.getElementType().isSignedInteger())
    return fail(op) << "StableHLO does not pool elements of type "
                    << type.getElementType();
  WindowAttrs window = plan.op.getWindow();
  plan.dims.resize(type.getRank());
  for (auto [d, dim] : llvm::enumerate(plan.dims)) {
    int64_t extent = type.getDimSize(d);
    dim = {extent, extent, 1, 1, 1, 0, 0, 0};
  }
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    RuleOr<ResolvedDim> resolved =
        resolveDim(type.getDimSize(d), window.getDim(i), window.modes);
    if (!resolved)
      return fail(op) << "dimension " << d << " has no window";
    plan.dims[d] = *resolved;
  }
  if (failed(checkOperation(op, plan)))
    return failure();
  return plan;
}
