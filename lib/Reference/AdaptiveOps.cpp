// Adaptive pooling, window by window, exactly as the semantics define it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AdaptiveOps.h"

#include "Windows.h"

#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Support/AdaptiveRules.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::reference;

namespace {
/// The windows of an operation over an input of known extents.
class AdaptiveWindows {
public:
  /// inferAdaptivePool must have accepted the extents.
  AdaptiveWindows(ArrayRef<int64_t> outputSize, Layout layout,
                  ArrayRef<int64_t> inputShape)
      : dims(getAdaptiveLayout(outputSize, layout)), inputShape(inputShape) {}

  /// Calls `visit` with the flat position of every element of the window, in
  /// row-major order. Returns the number of elements.
  int64_t forEachElement(ArrayRef<int64_t> output,
                         function_ref<void(int64_t)> visit) const {
    // In batch and channel, a window has one element: the one at the result's
    // coordinate.
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

static FailureOr<SmallVector<Tensor>> evaluate(AdaptiveAvgPoolOp op,
                                               const Tensor &input) {
  OpErrors emitError{op};
  FailureOr<RankedTensorType> type = inferAdaptivePool(
      emitError, RankedTensorType::get(input.shape, input.elementType),
      op.getOutputSize(), op.getLayout());
  if (failed(type))
    return failure();
  FailureOr<Tensor> averages =
      allocate(emitError, input.elementType, type->getShape());
  if (failed(averages))
    return failure();
  if (isa<FloatType>(input.elementType))
    computeAverages<double>(op, input, *averages);
  else
    computeAverages<Wide>(op, input, *averages);
  return SmallVector<Tensor>{std::move(*averages)};
}

//===----------------------------------------------------------------------===//
// adaptive_max_pool
//===----------------------------------------------------------------------===//

/// Fills `values`, and `indices` unless null.
template <typename ValueT>
static void computeMaxima(AdaptiveMaxPoolOp op, const Tensor &input,
                          Tensor &values, Tensor *indices) {
  ElementFormat format = *ElementFormat::get(input.elementType);
  AdaptiveWindows windows(op.getOutputSize(), op.getLayout(), input.shape);
  // An index is a flat position in the input, modulo the number of positions in
  // the dimensions from `axis` on.
  std::optional<ElementFormat> indexFormat;
  int64_t indexBound = 0;
  if (indices) {
    indexFormat = ElementFormat::get(indices->elementType);
    indexBound = *getProduct(
        ArrayRef<int64_t>(input.shape).drop_front(op.getNormalizedAxis()));
  }
  int64_t result = 0;
  forEachIndex(values.shape, [&](ArrayRef<int64_t> output) {
    Extremum<ValueT> maximum(format, Reduction::Max, op.getNanMode());
    windows.forEachElement(output, [&](int64_t position) {
      maximum.visit(position, format.load<ValueT>(input, position));
    });
    format.store<ValueT>(values, result, maximum.getValue());
    // No window is empty, so there is always a position.
    if (indices)
      indexFormat->store<Wide>(*indices, result,
                               *maximum.getPosition() % indexBound);
    ++result;
  });
}

static FailureOr<SmallVector<Tensor>> evaluate(AdaptiveMaxPoolOp op,
                                               const Tensor &input) {
  OpErrors emitError{op};
  Type indexElementType =
      op.getIndices() ? op.getIndices().getType().getElementType() : Type();
  FailureOr<RankedTensorType> type = inferAdaptiveMaxPool(
      emitError, RankedTensorType::get(input.shape, input.elementType),
      op.getOutputSize(), op.getLayout(), op.getAxis(), indexElementType);
  if (failed(type))
    return failure();
  SmallVector<Tensor> results;
  for (Type elementType : {input.elementType, indexElementType}) {
    if (!elementType)
      break;
    FailureOr<Tensor> tensor =
        allocate(emitError, elementType, type->getShape());
    if (failed(tensor))
      return failure();
    results.push_back(std::move(*tensor));
  }
  Tensor *indices = indexElementType ? &results[1] : nullptr;
  if (isa<FloatType>(input.elementType))
    computeMaxima<double>(op, input, results[0], indices);
  else
    computeMaxima<Wide>(op, input, results[0], indices);
  return results;
}

FailureOr<SmallVector<Tensor>> reference::evaluate(AdaptiveOpInterface op,
                                                   const Tensor &input) {
  return llvm::TypeSwitch<Operation *, FailureOr<SmallVector<Tensor>>>(op)
      .Case<AdaptiveAvgPoolOp, AdaptiveMaxPoolOp>(
          [&](auto pool) { return ::evaluate(pool, input); });
}
