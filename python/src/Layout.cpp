// Represents strided arrays as parts of row-major ones.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layout.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>
#include <numeric>

using namespace mlir;
using namespace mlir::pool::python;

Extents mlir::pool::python::getRowMajorStrides(ArrayRef<int64_t> shape) {
  Extents strides(shape.size());
  // Unsigned, since the product may overflow int64 if an extent is 0.
  uint64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

bool mlir::pool::python::isRowMajor(ArrayRef<int64_t> shape,
                                    ArrayRef<int64_t> strides) {
  uint64_t stride = 1;
  bool matches = true;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 0)
      return true;
    if (shape[i] != 1 && static_cast<uint64_t>(strides[i]) != stride)
      matches = false;
    stride *= shape[i];
  }
  return matches;
}

std::optional<Part> mlir::pool::python::getPart(ArrayRef<int64_t> shape,
                                                ArrayRef<int64_t> strides) {
  size_t rank = shape.size();
  Part part;
  if (isRowMajor(shape, strides))
    return part;
  for (size_t i = 0; i < rank; ++i)
    if (shape[i] != 1 && strides[i] < 1)
      return std::nullopt;
  if (shape.back() != 1 && strides.back() != 1)
    return std::nullopt;

  // The whole array's stride in dimension d must divide the part's strides in
  // dimensions 0 to d. Choose the greatest common divisor of these strides,
  // which leaves the most room for inner dimensions.
  Extents whole(rank);
  int64_t outer = 0;
  for (size_t i = 0; i < rank; ++i) {
    if (shape[i] != 1)
      outer = std::gcd(outer, strides[i]);
    whole[i] = outer;
  }
  whole.back() = 1;
  part.extents.resize(rank);
  part.steps.resize(rank);
  for (size_t i = 0; i < rank; ++i) {
    // Leading dimensions of extent 1 leave the stride open, so choose 1.
    if (whole[i] == 0)
      whole[i] = 1;
    part.steps[i] = shape[i] == 1 ? 1 : strides[i] / whole[i];
    int64_t needed = (shape[i] - 1) * part.steps[i] + 1;
    bool isOutermost = llvm::all_of(shape.take_front(i),
                                    [](int64_t extent) { return extent == 1; });
    part.extents[i] = isOutermost ? needed : whole[i - 1] / whole[i];
    if (part.extents[i] < needed)
      return std::nullopt;
  }
  return part;
}

static char *copyDimension(const char *source, ArrayRef<int64_t> shape,
                           ArrayRef<int64_t> strides, unsigned elementSize,
                           char *target) {
  if (shape.empty()) {
    std::memcpy(target, source, elementSize);
    return target + elementSize;
  }
  if (shape.size() == 1 && strides[0] == elementSize) {
    std::memcpy(target, source, shape[0] * elementSize);
    return target + shape[0] * elementSize;
  }
  for (int64_t i = 0; i < shape[0]; ++i)
    target = copyDimension(source + i * strides[0], shape.drop_front(),
                           strides.drop_front(), elementSize, target);
  return target;
}

void mlir::pool::python::copyRowMajor(const char *source,
                                      ArrayRef<int64_t> shape,
                                      ArrayRef<int64_t> strides,
                                      unsigned elementSize, char *target) {
  if (llvm::is_contained(shape, 0))
    return;
  copyDimension(source, shape, strides, elementSize, target);
}
