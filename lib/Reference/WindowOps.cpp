// Interprets pooling window by window, exactly as the semantics define it. It
// is slow on purpose: it visits each element of each window.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluators.h"
#include "Windows.h"

#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/Quantization.h"
#include "pool/Dialect/Pool/IR/WindowReduceInference.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::reference;

//===----------------------------------------------------------------------===//
// Extrema
//===----------------------------------------------------------------------===//

/// Writes the extremum of each window to `values`. Then calls `visit` with the
/// row-major position of that value in `values` and with the extremum. Padding
/// counts as zero if `padsWithZero` is true. Otherwise padding is ignored.
template <typename ValueT>
static void
computeExtrema(const Windows &windows, Reduction reduction, bool padsWithZero,
               NanMode nanMode, const Tensor &input, Tensor &values,
               function_ref<void(int64_t, const Extremum<ValueT> &)> visit) {
  ElementFormat format = *ElementFormat::get(input.elementType);
  int64_t result = 0;
  forEachIndex(values.shape, [&](ArrayRef<int64_t> output) {
    Extremum<ValueT> extremum(format, reduction, nanMode);
    int64_t numElements = windows.forEachElement(output, [&](int64_t position) {
      extremum.visit(position, format.load<ValueT>(input, position));
    });
    bool choosesPadding =
        padsWithZero && numElements < windows.getNumPositions();
    format.store<ValueT>(values, result,
                         choosesPadding ? extremum.getValueWith(0)
                                        : extremum.getValue());
    visit(result++, extremum);
  });
}

/// Writes the values to `results[0]` and, if there is a `results[1]`, the
/// indices to it.
template <typename ValueT>
static void computeExtrema(ExtremumOpInterface op, const Tensor &input,
                           MutableArrayRef<Tensor> results) {
  // Do not use `axis`, because it may be negative. getNormalizedAxis() is used
  // below.
  const auto [axis, padValue, nanMode] = op.getModes();
  (void)axis;
  computeExtrema<ValueT>(
      Windows(op.getWindow(), input.shape), op.getReduction(), isZero(padValue),
      nanMode, input, results[0],
      [&](int64_t result, const Extremum<ValueT> &extremum) {
        // A window that contains only padding has index 0.
        if (results.size() == 2)
          storeIndex(results[1], result, extremum.getPosition().value_or(0),
                     input.shape, op.getNormalizedAxis());
      });
}

static Results evaluate(ExtremumOpInterface op, const Tensor &input) {
  OpErrors emitError{op};
  Type indexElementType =
      op.getIndices() ? getElementTypeOrSelf(op.getIndices()) : Type();
  FailureOr<RankedTensorType> type = inferExtremumPool(
      emitError, RankedTensorType::get(input.shape, input.elementType),
      op.getWindow(), op.getReduction(), op.getModes(), indexElementType);
  if (failed(type))
    return failure();
  Results results = allocateResults(op, type->getShape());
  if (failed(results))
    return failure();
  if (isa<FloatType>(input.elementType))
    computeExtrema<double>(op, input, *results);
  else
    computeExtrema<Wide>(op, input, *results);
  return results;
}

//===----------------------------------------------------------------------===//
// avg_pool
//===----------------------------------------------------------------------===//

/// Converts an average of the quantized type `from` to a stored integer of the
/// quantized type `to`, as TOSA's RESCALE does.
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
  // If the quantized types of input and output differ, compute the average in
  // the input's type, and convert it afterwards.
  bool requantizes = input.elementType != averages.elementType;
  ValueT inputZp =
      static_cast<ValueT>(op.getInputZp()) + getZeroPoint(input.elementType);
  int64_t outputZp = op.getOutputZp() + getZeroPoint(input.elementType);

  int64_t result = 0;
  forEachIndex(averages.shape, [&](ArrayRef<int64_t> output) {
    // Padding counts as the zero point, so it adds nothing to the sum.
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

/// Infers the shape of the only result of `op`, and allocates a tensor of zeros
/// for it. Emits an error if the extents are invalid.
static Results allocateResult(WindowOpInterface op, const Tensor &input) {
  OpErrors emitError{op};
  FailureOr<SmallVector<int64_t>> shape = inferWindowShape(
      emitError, RankedTensorType::get(input.shape, input.elementType),
      op.getWindow());
  if (failed(shape))
    return failure();
  return allocateResults(op, *shape);
}

static Results evaluate(AvgPoolOp op, const Tensor &input) {
  // No constraint on averages is left to check at run time: Average.C1 and
  // Average.C2 do not depend on extents, and Average.C3 (every window counts an
  // element) is only for static extents.
  Results averages = allocateResult(op, input);
  if (failed(averages))
    return failure();
  if (isa<FloatType>(input.elementType))
    computeAvgPool<double>(op, input, averages->front());
  else
    computeAvgPool<Wide>(op, input, averages->front());
  return averages;
}

//===----------------------------------------------------------------------===//
// lp_pool
//===----------------------------------------------------------------------===//

static Results evaluate(LpPoolOp op, const Tensor &input) {
  Results norms = allocateResult(op, input);
  if (failed(norms))
    return failure();
  ElementFormat format = *ElementFormat::get(input.elementType);
  Windows windows(op.getWindow(), input.shape);
  auto p = static_cast<double>(op.getP());

  int64_t result = 0;
  forEachIndex(norms->front().shape, [&](ArrayRef<int64_t> output) {
    double sum = 0;
    windows.forEachElement(output, [&](int64_t position) {
      sum += std::pow(std::abs(format.load<double>(input, position)), p);
    });
    format.store<double>(norms->front(), result++, std::pow(sum, 1 / p));
  });
  return norms;
}

//===----------------------------------------------------------------------===//
// window_reduce
//===----------------------------------------------------------------------===//

/// Writes the sum of each window to `sums`. After each addition, floats are
/// rounded to the element type of `sums`, and integers wrap around.
template <typename ValueT>
static void computeSums(WindowReduceOp op, const Windows &windows,
                        const Tensor &input, Tensor &sums) {
  ElementFormat from = *ElementFormat::get(input.elementType);
  ElementFormat to = *ElementFormat::get(sums.elementType);
  int64_t result = 0;
  forEachIndex(sums.shape, [&](ArrayRef<int64_t> output) {
    to.store<ValueT>(sums, result, 0);
    windows.forEachElement(output, [&](int64_t position) {
      ValueT value = from.load<ValueT>(input, position);
      // The verifier accepts powers of floats only, so the casts are exact.
      if (op.getReduction() == Reduction::PowerSum)
        value = static_cast<ValueT>(
            std::pow(std::abs(static_cast<double>(value)), op.getP()));
      to.store<ValueT>(sums, result, to.load<ValueT>(sums, result) + value);
    });
    ++result;
  });
}

/// Writes the values to `results[0]` and, if there is a `results[1]`, the
/// positions to it.
template <typename ValueT>
static void computeWindows(WindowReduceOp op, const Windows &windows,
                           const Tensor &input, ArrayRef<int64_t> positions,
                           MutableArrayRef<Tensor> results) {
  if (!isExtremum(op.getReduction()))
    return computeSums<ValueT>(op, windows, input, results[0]);
  bool padsWithZero = isZero(op.getPadValue());
  auto getPosition = [&](int64_t element) {
    Wide position = positions[0];
    for (size_t d = input.shape.size(); d-- > 0; element /= input.shape[d])
      for (unsigned i = 0; i + 1 < positions.size(); ++i)
        if (op.getWindow().getSpatialDim(i) == d)
          position += Wide(positions[i + 1]) * (element % input.shape[d]);
    return position;
  };
  computeExtrema<ValueT>(
      windows, op.getReduction(), padsWithZero, op.getNanMode(), input,
      results[0], [&](int64_t result, const Extremum<ValueT> &extremum) {
        if (results.size() == 2)
          ElementFormat::get(results[1].elementType)
              ->store<Wide>(results[1], result,
                            extremum.getChosen()
                                ? getPosition(*extremum.getChosen())
                                : kNoPosition);
      });
}

Results reference::evaluate(WindowReduceOp op, Operands operands,
                            Lookup lookup) {
  const Tensor &input = *operands[0];
  // The outputs give the types and extents of the results. All their elements
  // will be overwritten.
  SmallVector<Tensor> results;
  for (const Tensor *out : operands.slice(1, op.getOuts().size()))
    results.push_back(*out);
  if (results.back().shape != results.front().shape)
    return op.emitOpError("has values and positions of different extents");

  SmallVector<int64_t> padsBegin = getIndices(op.getMixedPadsBegin(), lookup);
  SmallVector<int64_t> padsEnd = getIndices(op.getMixedPadsEnd(), lookup);
  SmallVector<int64_t> positions = getIndices(op.getMixedPositions(), lookup);
  WindowAttrs window = op.getWindow();
  window.padsBegin = padsBegin;
  window.padsEnd = padsEnd;
  OpErrors emitError{op};
  ArrayRef<int64_t> shape = results.front().shape;
  if (failed(verifyWindowReduceShape(emitError, window, input.shape, shape)))
    return failure();
  // Return early if there are no windows: the extents need not satisfy the
  // rules that `Windows` requires.
  if (llvm::is_contained(shape, 0))
    return results;

  Windows windows(window, input.shape);
  if (isa<FloatType>(input.elementType))
    computeWindows<double>(op, windows, input, positions, results);
  else
    computeWindows<Wide>(op, windows, input, positions, results);
  return results;
}

Results reference::evaluate(WindowOpInterface op, const Tensor &input) {
  return llvm::TypeSwitch<Operation *, Results>(op)
      .Case<ExtremumOpInterface, AvgPoolOp, LpPoolOp>(
          [&](auto pool) { return ::evaluate(pool, input); });
}
