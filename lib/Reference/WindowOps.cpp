// Pooling, window by window, exactly as the semantics define it. Slow on
// purpose: every window is visited from its first element to its last.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WindowOps.h"

#include "Element.h"
#include "Windows.h"

#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/Utils/Quantization.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::reference;

//===----------------------------------------------------------------------===//
// Extrema
//===----------------------------------------------------------------------===//

/// Fills `values`, and `indices` unless null.
template <typename ValueT>
static void computeExtrema(ExtremumOpInterface op, const Tensor &input,
                           Tensor &values, Tensor *indices) {
  // The axis is read for the indices below, where it is normalised.
  const auto [axis, padding, nan] = op.getModes();
  (void)axis;
  // C++17 lambdas cannot capture structured bindings.
  PadValue padValue = padding;
  NanMode nanMode = nan;
  ElementFormat format = *ElementFormat::get(input.elementType);
  Windows windows(op.getWindow(), input.shape);
  // An index is a flat position in the input, modulo the number of positions
  // from the axis on.
  std::optional<ElementFormat> indexFormat;
  int64_t indexBound = 0;
  if (indices) {
    indexFormat = ElementFormat::get(indices->elementType);
    indexBound = *getProduct(
        ArrayRef<int64_t>(input.shape).drop_front(op.getNormalizedAxis()));
  }

  int64_t result = 0;
  forEachIndex(values.shape, [&](ArrayRef<int64_t> output) {
    // Padding that does not count as zero is never chosen.
    Extremum<ValueT> extremum(format, op.getReduction(), nanMode);
    int64_t numElements = windows.forEachElement(output, [&](int64_t position) {
      extremum.visit(position, format.load<ValueT>(input, position));
    });
    bool choosesPadding =
        isZero(padValue) && numElements < windows.getNumPositions();
    format.store<ValueT>(values, result,
                         choosesPadding ? extremum.getValueWith(0)
                                        : extremum.getValue());
    // A window of only padding has index 0.
    if (indices)
      indexFormat->store<Wide>(*indices, result,
                               extremum.getPosition().value_or(0) % indexBound);
    ++result;
  });
}

static FailureOr<SmallVector<Tensor>> evaluate(ExtremumOpInterface op,
                                               const Tensor &input) {
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return op.emitOpError(message);
  };
  auto inputType = RankedTensorType::get(input.shape, input.elementType);
  Type indexElementType =
      op.getIndices() ? getElementTypeOrSelf(op.getIndices()) : Type();
  FailureOr<RankedTensorType> type =
      inferExtremumPool(emitError, inputType, op.getWindow(), op.getReduction(),
                        op.getModes(), indexElementType);
  if (failed(type))
    return failure();

  SmallVector<Tensor> results;
  for (Value result : op->getResults()) {
    FailureOr<Tensor> tensor =
        allocate(emitError, getElementTypeOrSelf(result), type->getShape());
    if (failed(tensor))
      return failure();
    results.push_back(std::move(*tensor));
  }
  Tensor *indices = indexElementType ? &results[1] : nullptr;
  if (isa<FloatType>(input.elementType))
    computeExtrema<double>(op, input, results[0], indices);
  else
    computeExtrema<Wide>(op, input, results[0], indices);
  return results;
}

//===----------------------------------------------------------------------===//
// avg_pool
//===----------------------------------------------------------------------===//

/// Converts an average from the scale of one quantised type to a stored value
/// of another: TOSA's RESCALE.
static Wide requantize(Wide average, quant::UniformQuantizedType from,
                       quant::UniformQuantizedType to) {
  Rescale ratio = *Rescale::get(from, to);
  Wide product = (average - from.getZeroPoint()) * ratio.multiplier;
  Wide rescaled = (product + (Wide(1) << (ratio.shift - 1))) >> ratio.shift;
  return std::clamp<Wide>(rescaled + to.getZeroPoint(), to.getStorageTypeMin(),
                          to.getStorageTypeMax());
}

template <typename ValueT>
static void computeAvgPool(AvgPoolOp op, const Tensor &input,
                           Tensor &averages) {
  ElementFormat format = *ElementFormat::get(input.elementType);
  Windows windows(op.getWindow(), input.shape);
  // Between two different quantised types the average has the input's scale.
  bool requantizes = input.elementType != averages.elementType;
  ValueT inputZp =
      static_cast<ValueT>(op.getInputZp()) + getZeroPoint(input.elementType);
  int64_t outputZp = op.getOutputZp() + getZeroPoint(input.elementType);

  int64_t result = 0;
  forEachIndex(averages.shape, [&](ArrayRef<int64_t> output) {
    // Padding counts as the zero point, so it adds nothing.
    ValueT sum = 0;
    windows.forEachElement(output, [&](int64_t position) {
      sum += format.load<ValueT>(input, position) - inputZp;
    });
    int64_t divisor = op.getDivisorOverride().value_or(
        windows.getCount(op.getDivisor(), output));
    ValueT average =
        getAverage(format, sum, divisor, op.getIntegerRounding(), outputZp);
    if constexpr (std::is_same_v<ValueT, Wide>)
      if (requantizes)
        average = requantize(
            average, cast<quant::UniformQuantizedType>(input.elementType),
            cast<quant::UniformQuantizedType>(averages.elementType));
    format.store<ValueT>(averages, result++, average);
  });
}

/// Allocates a tensor for the single result of `op`.
static FailureOr<Tensor> allocateResult(WindowOpInterface op,
                                        const Tensor &input) {
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return op->emitOpError(message);
  };
  FailureOr<SmallVector<int64_t>> shape = inferWindowShape(
      emitError, RankedTensorType::get(input.shape, input.elementType),
      op.getWindow());
  if (failed(shape))
    return failure();
  return allocate(emitError, getElementTypeOrSelf(op->getResult(0)), *shape);
}

static FailureOr<SmallVector<Tensor>> evaluate(AvgPoolOp op,
                                               const Tensor &input) {
  // Average.C1 and Average.C2 do not depend on extents. Average.C3, that every
  // window counts an element, does not apply at run time.
  FailureOr<Tensor> averages = allocateResult(op, input);
  if (failed(averages))
    return failure();
  if (isa<FloatType>(input.elementType))
    computeAvgPool<double>(op, input, *averages);
  else
    computeAvgPool<Wide>(op, input, *averages);
  return SmallVector<Tensor>{std::move(*averages)};
}

//===----------------------------------------------------------------------===//
// lp_pool
//===----------------------------------------------------------------------===//

static FailureOr<SmallVector<Tensor>> evaluate(LpPoolOp op,
                                               const Tensor &input) {
  FailureOr<Tensor> norms = allocateResult(op, input);
  if (failed(norms))
    return failure();
  ElementFormat format = *ElementFormat::get(input.elementType);
  Windows windows(op.getWindow(), input.shape);
  auto p = static_cast<double>(op.getP());

  int64_t result = 0;
  forEachIndex(norms->shape, [&](ArrayRef<int64_t> output) {
    double sum = 0;
    windows.forEachElement(output, [&](int64_t position) {
      sum += std::pow(std::abs(format.load<double>(input, position)), p);
    });
    format.store<double>(*norms, result++, std::pow(sum, 1 / p));
  });
  return SmallVector<Tensor>{std::move(*norms)};
}

FailureOr<SmallVector<Tensor>> reference::evaluate(WindowOpInterface op,
                                                   const Tensor &input) {
  return llvm::TypeSwitch<Operation *, FailureOr<SmallVector<Tensor>>>(op)
      .Case<ExtremumOpInterface, AvgPoolOp, LpPoolOp>(
          [&](auto pool) { return ::evaluate(pool, input); });
}
