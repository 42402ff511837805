// Checks whether TOSA's pooling computes the same results, and plans the
// lowering.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TosaPlan.h"

#include "../TosaRounding.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Plans one operation. Functions that fail emit an error that names what TOSA
/// cannot express.
class TosaPlanner {
public:
  explicit TosaPlanner(WindowOpInterface op)
      : op(op), window(op.getWindow()), plan{op, window.layout, {}, {}} {}

  LogicalResult planWindow();
  LogicalResult planMaximum(MaxPoolOp op);
  LogicalResult planAverage(AvgPoolOp op);

  TosaPlan take() { return std::move(plan); }

private:
  InFlightDiagnostic fail() {
    return op->emitOpError("cannot be converted to TOSA: ");
  }
  LogicalResult planDim(unsigned i);
  LogicalResult checkPads();
  LogicalResult checkRounding(AvgPoolOp op);

  bool coversPadding() const {
    return llvm::any_of(plan.dims, [](const TosaDim &dim) {
      return dim.padBegin != 0 || dim.padEnd != 0;
    });
  }
  /// Returns the number of elements that `divisor` counts in every window, or
  /// nothing if windows may differ.
  std::optional<int64_t> getUniformCount(Divisor divisor) const;
  /// Plans to pad the input with `value` before the pooling, so that TOSA
  /// counts the padding as elements of the input.
  void materializePadding(int64_t value) {
    plan.padding = getTosaScalar(getInputType().getElementType(), value);
  }
  RankedTensorType getInputType() {
    return cast<RankedTensorType>(op.getInput().getType());
  }

  WindowOpInterface op;
  WindowAttrs window;
  TosaPlan plan;
};
} // namespace

DenseElementsAttr pool::getTosaScalar(Type type, int64_t value) {
  Builder b(type.getContext());
  Attribute scalar = isa<FloatType>(type)
                         ? Attribute(b.getFloatAttr(type, value))
                         : b.getIntegerAttr(type, value);
  return DenseElementsAttr::get(RankedTensorType::get({1}, type), scalar);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

LogicalResult TosaPlanner::planDim(unsigned i) {
  unsigned d = window.getSpatialDim(i);
  int64_t input = getInputType().getDimSize(d);
  WindowDim dim = window.getDim(i);
  if (dim.dilation != 1 && dim.kernel != 1)
    return fail() << "TOSA has no dilation, and it is " << dim.dilation
                  << " in dimension " << d;
  dim.dilation = 1;
  if (ShapedType::isDynamic(input)) {
    // With stride 1, neither the pads nor the number of uncovered elements
    // depend on the extent. So plan for the extent of one window.
    if (dim.stride != 1)
      return fail() << "the extent of dimension " << d
                    << " is not known, and with a stride of " << dim.stride
                    << " TOSA's windows must cover it exactly";
    input = dim.kernel;
  }
  RuleOr<ResolvedDim> resolved = resolveDim(input, dim, window.modes);
  if (!resolved)
    return fail() << "it has no window of dimension " << d
                  << " whose extent is not known";
  int64_t read = resolved->getStart(resolved->output - 1) + resolved->kernel;
  plan.dims.push_back({resolved->kernel, resolved->stride, resolved->padBegin,
                       resolved->getCoveredEnd(),
                       std::max<int64_t>(resolved->input - read, 0)});
  return success();
}

LogicalResult TosaPlanner::planWindow() {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type)
    return fail() << "the input is unranked";
  if (window.getNumSpatialDims() != 2)
    return fail() << "TOSA pools two spatial dimensions, this window has "
                  << window.getNumSpatialDims();
  Type element = type.getElementType();
  if (!element.isSignlessInteger(8) && !element.isSignlessInteger(16) &&
      !element.isF16() && !element.isBF16() && !element.isF32())
    return fail() << "TOSA does not pool elements of type " << element;
  if (llvm::is_contained(type.getShape(), 0))
    return fail() << "TOSA has no empty tensors";
  for (unsigned i = 0; i < 2; ++i)
    if (failed(planDim(i)))
      return failure();
  return success();
}

LogicalResult TosaPlanner::checkPads() {
  for (auto [i, dim] : llvm::enumerate(plan.dims)) {
    int64_t pad = std::max(dim.padBegin, dim.padEnd);
    if (pad >= dim.kernel)
      return fail() << "windows cover " << pad
                    << " elements of padding in dimension "
                    << window.getSpatialDim(i) << ", and TOSA's padding is "
                    << "less than the kernel, " << dim.kernel;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult TosaPlanner::planMaximum(MaxPoolOp op) {
  const auto [axis, padValue, nanMode] = op.getModes();
  (void)axis, (void)nanMode; // TOSA has both NaN modes. The axis is unused.
  if (op.getIndices())
    return fail() << "TOSA has no indices";
  if (isZero(padValue) && coversPadding()) {
    materializePadding(0);
    return success();
  }
  return checkPads();
}

std::optional<int64_t> TosaPlanner::getUniformCount(Divisor divisor) const {
  if (countsOverhang(divisor) || !coversPadding())
    return getProduct(window.kernel);
  return std::nullopt;
}

LogicalResult TosaPlanner::checkRounding(AvgPoolOp op) {
  if (isa<FloatType>(getInputType().getElementType()))
    return success();
  if (!getInputType().getElementType().isInteger(8) &&
      (op.getInputZp() != 0 || op.getOutputZp() != 0))
    return fail() << "TOSA has zero points for elements of 8 bits only";

  // If the input is padded before the pooling, the pooling itself pads nothing.
  WindowAttrs counted = window;
  if (plan.padding) {
    counted.padsBegin = counted.padsEnd = {};
    counted.modes = WindowModes();
  }
  bool anyNegative = false;
  switch (classifyTosaQuotients(getInputType(), counted, op.getInputZp())) {
  case TosaQuotients::NoHalves:
    return success();
  case TosaQuotients::NoNegativeHalves:
    break;
  case TosaQuotients::AnyHalves:
    anyNegative = true;
    break;
  case TosaQuotients::Imprecise:
    return fail() << "sums may be too large for TOSA's division to be exact";
  }
  auto refuse = [&](StringRef direction) -> LogicalResult {
    return fail() << "TOSA rounds halves away from zero, not " << direction;
  };
  switch (op.getIntegerRounding()) {
  case IntegerRounding::HalfAway:
    return success();
  case IntegerRounding::HalfUp:
    return anyNegative ? refuse("up") : success();
  case IntegerRounding::HalfEven:
    return refuse("to even");
  }
  llvm_unreachable("all roundings handled");
}

LogicalResult TosaPlanner::planAverage(AvgPoolOp op) {
  Divisor divisor = op.getDivisor();
  if (std::optional<int64_t> divisorOverride = op.getDivisorOverride()) {
    // An override may equal a number that TOSA divides by.
    if (getUniformCount(Divisor::Valid) == divisorOverride)
      divisor = Divisor::Valid;
    else if (getUniformCount(Divisor::Kernel) == divisorOverride)
      divisor = Divisor::Kernel;
    else
      return fail() << "its divisor_override, " << *divisorOverride
                    << ", is not the number of elements of its windows";
  } else if (countsPadding(divisor) && !countsOverhang(divisor) &&
             coversPadding()) {
    for (unsigned i = 0; i < 2; ++i) {
      unsigned d = window.getSpatialDim(i);
      int64_t input = getInputType().getDimSize(d);
      if (ShapedType::isDynamic(input))
        continue;
      RuleOr<ResolvedDim> resolved =
          resolveDim(input, window.getDim(i), window.modes);
      if (resolved && resolved->overhang != 0)
        return fail() << "its windows reach " << resolved->overhang
                      << " past the padding of dimension " << d
                      << ", which divisor = padded does not count";
    }
    divisor = Divisor::Kernel;
  }
  if (countsOverhang(divisor) && coversPadding())
    materializePadding(op.getInputZp());
  else if (failed(checkPads()))
    return failure();
  return checkRounding(op);
}

FailureOr<TosaPlan> pool::planTosa(Operation *op) {
  auto windowOp = dyn_cast<WindowOpInterface>(op);
  if (!windowOp || !isa<MaxPoolOp, AvgPoolOp>(op))
    return op->emitOpError(
        "cannot be converted to TOSA: TOSA has no such operation");
  TosaPlanner planner(windowOp);
  if (failed(planner.planWindow()))
    return failure();
  if (auto max = dyn_cast<MaxPoolOp>(op)) {
    if (failed(planner.planMaximum(max)))
      return failure();
  } else if (failed(planner.planAverage(cast<AvgPoolOp>(op)))) {
    return failure();
  }
  return planner.take();
}
