// Enumerates windows and their elements, and computes averages.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Windows.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::reference;

LogicalResult
reference::visitIndices(ArrayRef<int64_t> extents,
                        function_ref<LogicalResult(ArrayRef<int64_t>)> visit) {
  if (llvm::is_contained(extents, 0))
    return success();
  SmallVector<int64_t> index(extents.size(), 0);
  while (true) {
    if (failed(visit(index)))
      return failure();
    unsigned d = extents.size();
    while (d > 0 && ++index[d - 1] == extents[d - 1])
      index[--d] = 0;
    if (d == 0)
      return success();
  }
}

void reference::forEachIndex(ArrayRef<int64_t> extents,
                             function_ref<void(ArrayRef<int64_t>)> visit) {
  (void)visitIndices(extents, [&](ArrayRef<int64_t> index) {
    visit(index);
    return success();
  });
}

int64_t reference::flatten(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t position = 0;
  for (auto [i, extent] : llvm::zip_equal(index, shape))
    position = position * extent + i;
  return position;
}

void reference::storeIndex(Tensor &indices, int64_t result, int64_t position,
                           ArrayRef<int64_t> shape, int64_t axis) {
  ElementFormat::get(indices.elementType)
      ->store<Wide>(indices, result,
                    position % *getProduct(shape.drop_front(axis)));
}

Windows::Windows(const WindowAttrs &attrs, ArrayRef<int64_t> inputShape)
    : attrs(attrs), inputShape(inputShape) {
  for (unsigned i = 0; i < attrs.getNumSpatialDims(); ++i)
    dims.push_back(*resolveDim(inputShape[attrs.getSpatialDim(i)],
                               attrs.getDim(i), attrs.modes));
}

int64_t Windows::forEachElement(ArrayRef<int64_t> output,
                                function_ref<void(int64_t)> visit) const {
  SmallVector<TapRange> taps;
  SmallVector<int64_t> counts;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    taps.push_back(getValidTaps(dim, output[attrs.getSpatialDim(i)]));
    counts.push_back(taps.back().size());
  }
  // In the batch and channel dimensions, the coordinates are those of the
  // output.
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

int64_t Windows::getCount(Divisor divisor, ArrayRef<int64_t> output) const {
  int64_t count = 1;
  for (auto [i, dim] : llvm::enumerate(dims))
    count *= pool::getCount(dim, divisor, output[attrs.getSpatialDim(i)]);
  return count;
}

double reference::getAverage(const ElementFormat &, double sum, int64_t divisor,
                             IntegerRounding, int64_t) {
  return sum / static_cast<double>(divisor);
}

Wide reference::getAverage(const ElementFormat &format, Wide sum,
                           int64_t divisor, IntegerRounding rounding,
                           int64_t outputZp) {
  Wide quotient = 0;
  Wide magnitude = divisor;
  if (divisor < 0) {
    sum = -sum;
    magnitude = -magnitude;
  }
  if (divisor != 0) {
    quotient = sum / magnitude;
    Wide remainder = sum % magnitude;
    if (remainder < 0) {
      --quotient;
      remainder += magnitude;
    }
    // Here sum = quotient * magnitude + remainder, and 0 <= remainder <
    // magnitude.
    bool isHalf = 2 * remainder == magnitude;
    bool halfRoundsUp = true;
    switch (rounding) {
    case IntegerRounding::HalfEven:
      halfRoundsUp = quotient % 2 != 0;
      break;
    case IntegerRounding::HalfUp:
      break;
    case IntegerRounding::HalfAway:
      halfRoundsUp = quotient >= 0;
      break;
    }
    if (2 * remainder > magnitude || (isHalf && halfRoundsUp))
      ++quotient;
  }
  return std::clamp(quotient + outputZp, format.getLowest<Wide>(),
                    format.getLargest<Wide>());
}
