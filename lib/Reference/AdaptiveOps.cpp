// Interprets adaptive pooling window by window, exactly as the semantics define
// it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluators.h"
#include "Windows.h"

#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Support/AdaptiveRules.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::reference;

namespace {
/// The windows of an operation on an input of known extents.
class AdaptiveWindows {
public:
  /// Requires that inferAdaptivePool has accepted the extents.
  AdaptiveWindows(ArrayRef<int64_t> outputSize, Layout layout,
                  ArrayRef<int64_t> inputShape)
      : dims(getAdaptiveLayout(outputSize, layout)), inputShape(inputShape) {}

  /// Calls `visit` with the row-major position of every element of the window,
  /// in row-major order. Returns the number of these elements.
  int64_t forEachElement(ArrayRef<int64_t> output,
                         function_ref<void(int64_t)> visit) const {
    // In the batch and channel dimensions, a window has one element, whose
    // coordinates are those of the result.
    SmallVector<int64_t> begin(output), sizes(output.size(), 1);
    for (auto [i, numOutputs] : llvm::enumerate(dims.kernel)) {
      unsigned d = dims.getSpatialDim(i);
      AdaptiveDim dim{inputShape[d], numOutputs};
      begin[d] = dim.getStart(output[d]);
      sizes[d] = dim.getSize(output[d]);
    }
    SmallVector<int64_t> element(output);
    forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
      for (unsigned d = 0; d < element.size(); ++d)
        element[d] = begin[d] + index[d];
      visit(flatten(element, inputShape));
    });
    return *getProduct(sizes);
  }

private:
  WindowAttrs dims;
  ArrayRef<int64_t> inputShape;
};
} // namespace

//===----------------------------------------------------------------------===//
// adaptive_avg_pool
//===----------------------------------------------------------------------===//

template <typename ValueT>
static void computeAverages(AdaptiveAvgPoolOp op, const Tensor &input,
                            Tensor &averages) {
  ElementFormat format = *ElementFormat::get(input.elementType);
  AdaptiveWindows windows(op.getOutputSize(), op.getLayout(), input.shape);
  auto inputZp = static_cast<ValueT>(op.getInputZp());
  int64_t result = 0;
  forEachIndex(averages.shape, [&](ArrayRef<int64_t> output) {
    ValueT sum = 0;
    int64_t count = windows.forEachElement(output, [&](int64_t position) {
      sum += format.load<ValueT>(input, position) - inputZp;
    });
    format.store<ValueT>(averages, result++,
                         getAverage(format, sum, count, op.getIntegerRounding(),
                                    op.getOutputZp()));
  });
}

static Results evaluate(AdaptiveAvgPoolOp op, const Tensor &input) {
  OpErrors emitError{op};
  FailureOr<RankedTensorType> type = inferAdaptivePool(
      emitError, RankedTensorType::get(input.shape, input.elementType),
      op.getOutputSize(), op.getLayout());
  if (failed(type))
    return failure();
  Results averages = allocateResults(op, type->getShape());
  if (failed(averages))
    return failure();
  if (isa<FloatType>(input.elementType))
    computeAverages<double>(op, input, averages->front());
  else
    computeAverages<Wide>(op, input, averages->front());
  return averages;
}

//===----------------------------------------------------------------------===//
// adaptive_max_pool
//===----------------------------------------------------------------------===//

/// Writes the values to `results[0]` and, if there is a `results[1]`, the
/// indices to it.
template <typename ValueT>
static void computeMaxima(AdaptiveMaxPoolOp op, const Tensor &input,
                          MutableArrayRef<Tensor> results) {
  ElementFormat format = *ElementFormat::get(input.elementType);
  AdaptiveWindows windows(op.getOutputSize(), op.getLayout(), input.shape);
  int64_t result = 0;
  forEachIndex(results[0].shape, [&](ArrayRef<int64_t> output) {
    Extremum<ValueT> maximum(format, Reduction::Max, op.getNanMode());
    windows.forEachElement(output, [&](int64_t position) {
      maximum.visit(position, format.load<ValueT>(input, position));
    });
    format.store<ValueT>(results[0], result, maximum.getValue());
    // Windows of adaptive pooling are never empty, so there always is a
    // position.
    if (results.size() == 2)
      storeIndex(results[1], result, *maximum.getPosition(), input.shape,
                 op.getNormalizedAxis());
    ++result;
  });
}

static Results evaluate(AdaptiveMaxPoolOp op, const Tensor &input) {
  OpErrors emitError{op};
  Type indexElementType =
      op.getIndices() ? op.getIndices().getType().getElementType() : Type();
  FailureOr<RankedTensorType> type = inferAdaptiveMaxPool(
      emitError, RankedTensorType::get(input.shape, input.elementType),
      op.getOutputSize(), op.getLayout(), op.getAxis(), indexElementType);
  if (failed(type))
    return failure();
  Results results = allocateResults(op, type->getShape());
  if (failed(results))
    return failure();
  if (isa<FloatType>(input.elementType))
    computeMaxima<double>(op, input, *results);
  else
    computeMaxima<Wide>(op, input, *results);
  return results;
}

Results reference::evaluate(AdaptiveOpInterface op, const Tensor &input) {
  return llvm::TypeSwitch<Operation *, Results>(op)
      .Case<AdaptiveAvgPoolOp, AdaptiveMaxPoolOp>(
          [&](auto pool) { return ::evaluate(pool, input); });
}
