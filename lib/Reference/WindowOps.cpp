// Pooling, window by window, as the semantics have it. Slow on purpose: every
// window is visited from its first element to its last.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WindowOps.h"

#include "Element.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::reference;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Calls `visit` with every index below `extents`, in row-major order.
static void forEachIndex(ArrayRef<int64_t> extents,
                         function_ref<void(ArrayRef<int64_t>)> visit) {
  if (llvm::is_contained(extents, 0))
    return;
  SmallVector<int64_t> index(extents.size(), 0);
  while (true) {
    visit(index);
    unsigned d = extents.size();
    while (d > 0 && ++index[d - 1] == extents[d - 1])
      index[--d] = 0;
    if (d == 0)
      return;
  }
}

static int64_t flatten(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t position = 0;
  for (auto [i, extent] : llvm::zip_equal(index, shape))
    position = position * extent + i;
  return position;
}

namespace {
/// The windows of an operation over an input of known extents. `output` is
/// always an index into the results, batch and channel included.
class Windows {
public:
  /// The extents must have been accepted by inferWindowShape.
  Windows(const WindowAttrs &attrs, ArrayRef<int64_t> inputShape)
      : attrs(attrs), inputShape(inputShape) {
    for (unsigned i = 0; i < attrs.getNumSpatialDims(); ++i)
      dims.push_back(*resolveDim(inputShape[attrs.getSpatialDim(i)],
                                 attrs.getDim(i), attrs.modes));
  }

  /// Calls `visit` with the flat position of every element of the input that
  /// the window holds, in row-major order. Returns how many there are.
  int64_t forEachElement(ArrayRef<int64_t> output,
                         function_ref<void(int64_t)> visit) const {
    SmallVector<TapRange> taps;
    SmallVector<int64_t> counts;
    for (auto [i, dim] : llvm::enumerate(dims)) {
      taps.push_back(getValidTaps(dim, output[attrs.getSpatialDim(i)]));
      counts.push_back(taps.back().size());
    }
    // Batch and channel are the result's.
    SmallVector<int64_t> element(output);
    forEachIndex(counts, [&](ArrayRef<int64_t> index) {
      for (auto [i, dim] : llvm::enumerate(dims)) {
        unsigned d = attrs.getSpatialDim(i);
        int64_t tap = taps[i].begin + index[i];
        element[d] = dim.getStart(output[d]) + tap * dim.dilation;
      }
      visit(flatten(element, inputShape));
    });
    return *getProduct(counts);
  }

  /// How many positions a window has, padding and overhang included.
  int64_t getNumPositions() const { return *getProduct(attrs.kernel); }

  /// How many positions of the window `divisor` counts.
  int64_t getCount(Divisor divisor, ArrayRef<int64_t> output) const {
    int64_t count = 1;
    for (auto [i, dim] : llvm::enumerate(dims))
      count *= pool::getCount(dim, divisor, output[attrs.getSpatialDim(i)]);
    return count;
  }

private:
  WindowAttrs attrs;
  ArrayRef<int64_t> inputShape;
  SmallVector<ResolvedDim> dims;
};
} // namespace

//===----------------------------------------------------------------------===//
// max_pool
//===----------------------------------------------------------------------===//

static bool isNaN(double value) { return std::isnan(value); }
static bool isNaN(Wide) { return false; }

/// Fills `values`, and `indices` unless null.
template <typename ValueT>
static void computeMaxPool(MaxPoolOp op, const Tensor &input, Tensor &values,
                           Tensor *indices) {
  ElementFormat format = *ElementFormat::get(input.elementType);
  Windows windows(op.getWindow(), input.shape);
  bool ignoresNaN = op.getNanMode() == NanMode::Ignore;
  // An index is a position in the input, less the dimensions before the axis.
  std::optional<ElementFormat> indexFormat;
  int64_t indexBound = 0;
  if (indices) {
    indexFormat = ElementFormat::get(indices->elementType);
    indexBound = *getProduct(
        ArrayRef<int64_t>(input.shape).drop_front(op.getNormalizedAxis()));
  }

  int64_t result = 0;
  forEachIndex(values.shape, [&](ArrayRef<int64_t> output) {
    // Padding counts as the lowest value but is never chosen.
    ValueT largest = format.getLowest<ValueT>();
    std::optional<int64_t> chosen, first;
    int64_t numElements = windows.forEachElement(output, [&](int64_t position) {
      if (!first)
        first = position;
      auto value = format.load<ValueT>(input, position);
      if (ignoresNaN && isNaN(value))
        return;
      if (!chosen || value > largest || (isNaN(value) && !isNaN(largest))) {
        largest = value;
        chosen = position;
      }
    });
    if (op.getPadValue() == PadValue::Zero &&
        numElements < windows.getNumPositions() && largest < 0)
      largest = 0;
    format.store<ValueT>(values, result, largest);
    if (indices) {
      // Nothing chosen: the first element inside. Nothing inside: 0.
      int64_t position = chosen.value_or(first.value_or(0));
      indexFormat->store<Wide>(*indices, result, position % indexBound);
    }
    ++result;
  });
}

FailureOr<SmallVector<Tensor>> reference::evaluate(MaxPoolOp op,
                                                   const Tensor &input) {
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return op.emitOpError(message);
  };
  auto inputType = RankedTensorType::get(input.shape, input.elementType);
  Type indexElementType =
      op.getIndices() ? op.getIndices().getType().getElementType() : Type();
  FailureOr<RankedTensorType> type =
      inferMaxPool(emitError, inputType, op.getWindow(), op.getAxis(),
                   op.getPadValue(), indexElementType);
  if (failed(type))
    return failure();

  SmallVector<Tensor> results;
  for (Value result : op->getResults()) {
    FailureOr<Tensor> tensor =
        allocate(emitError, cast<TensorType>(result.getType()).getElementType(),
                 type->getShape());
    if (failed(tensor))
      return failure();
    results.push_back(std::move(*tensor));
  }
  Tensor *indices = indexElementType ? &results[1] : nullptr;
  if (isa<FloatType>(input.elementType))
    computeMaxPool<double>(op, input, results[0], indices);
  else
    computeMaxPool<Wide>(op, input, results[0], indices);
  return results;
}

//===----------------------------------------------------------------------===//
// avg_pool
//===----------------------------------------------------------------------===//

/// 0/0 is NaN.
static double getAverage(AvgPoolOp, const ElementFormat &, double sum,
                         int64_t divisor) {
  return sum / static_cast<double>(divisor);
}

/// The exact quotient, rounded; 0/0 is 0. Then the zero point, saturated.
static Wide getAverage(AvgPoolOp op, const ElementFormat &format, Wide sum,
                       int64_t divisor) {
  Wide quotient = 0;
  if (divisor != 0) {
    quotient = sum / divisor;
    Wide remainder = sum % divisor;
    if (remainder < 0) {
      --quotient;
      remainder += divisor;
    }
    // Now sum = quotient * divisor + remainder, 0 <= remainder < divisor.
    bool isHalf = 2 * remainder == divisor;
    bool halfRoundsUp =
        op.getIntegerRounding() == IntegerRounding::HalfUp || quotient % 2 != 0;
    if (2 * remainder > divisor || (isHalf && halfRoundsUp))
      ++quotient;
  }
  return std::clamp(quotient + op.getOutputZp(), format.getLowest<Wide>(),
                    format.getLargest());
}

template <typename ValueT>
static void computeAvgPool(AvgPoolOp op, const Tensor &input,
                           Tensor &averages) {
  ElementFormat format = *ElementFormat::get(input.elementType);
  Windows windows(op.getWindow(), input.shape);
  auto inputZp = static_cast<ValueT>(op.getInputZp());

  int64_t result = 0;
  forEachIndex(averages.shape, [&](ArrayRef<int64_t> output) {
    // Padding counts as the zero point and so adds nothing.
    ValueT sum = 0;
    windows.forEachElement(output, [&](int64_t position) {
      sum += format.load<ValueT>(input, position) - inputZp;
    });
    int64_t divisor = op.getDivisorOverride().value_or(
        windows.getCount(op.getDivisor(), output));
    format.store<ValueT>(averages, result++,
                         getAverage(op, format, sum, divisor));
  });
}

/// A tensor for the one result of `op`, which has its input's element type.
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
  return allocate(emitError, input.elementType, *shape);
}

FailureOr<SmallVector<Tensor>> reference::evaluate(AvgPoolOp op,
                                                   const Tensor &input) {
  // C11 and C12 do not depend on the extents; C13, that every window counts
  // something, does not bind at run time.
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

FailureOr<SmallVector<Tensor>> reference::evaluate(LpPoolOp op,
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
