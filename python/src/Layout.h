// Memory layout of strided arrays, and the test whether a kernel can read one
// in place.
//
// Compiled code accepts row-major buffers without gaps. A view that steps over
// rows or planes is part of such a buffer: the kernel gets the address of the
// whole and reads the part. All other views must be copied.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_LAYOUT_H
#define POOL_PYTHON_LAYOUT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace mlir::pool::python {

/// Extents, strides or positions, one for each dimension.
using Extents = SmallVector<int64_t, 6>;

/// A part of a row-major array of `extents`: in each dimension the elements 0,
/// `steps`, 2 * `steps` and so on. Both lists are empty for a whole array.
struct Part {
  Extents extents;
  Extents steps;
};

/// Strides, in elements, of a row-major array without gaps.
Extents getRowMajorStrides(ArrayRef<int64_t> shape);

/// True if an array with these strides, in elements, is row-major without gaps.
/// Strides of dimensions of extent 1, and of an empty array, do not matter.
bool isRowMajor(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides);

/// Represents the array of `shape` and `strides`, in elements, as a part of a
/// row-major array with rows of unit step. Returns nothing if that is
/// impossible, as for transposed, reversed, repeated and overlapping arrays.
std::optional<Part> getPart(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides);

/// Copies an array of `elementSize` bytes an element, with `strides` in bytes,
/// to `target`, row-major without gaps.
void copyRowMajor(const char *source, ArrayRef<int64_t> shape,
                  ArrayRef<int64_t> strides, unsigned elementSize,
                  char *target);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_LAYOUT_H
