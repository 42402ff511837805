// Memory layout of strided arrays, and the test whether a kernel can read one
// in place.
//
// Compiled code accepts row-major buffers without gaps. A view that skips rows
// or planes of such a buffer can be read in place: the kernel gets the whole
// buffer and reads a `Part` of it. All other views must be copied. For example,
// three rows of 8 elements with the strides 16 and 1 are a part of a 3 x 16
// array:
//
//   x x x x x x x x . . . . . . . .
//   x x x x x x x x . . . . . . . .
//   x x x x x x x x . . . . . . . .
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

/// A part of a row-major array with the shape `extents`. In dimension d it has
/// the elements 0, `steps[d]`, 2 * `steps[d]` and so on. Both lists are empty
/// if the part is the whole array.
struct Part {
  Extents extents;
  Extents steps;
};

/// Returns the strides, in elements, of a row-major array without gaps.
Extents getRowMajorStrides(ArrayRef<int64_t> shape);

/// True if an array with these strides, in elements, is row-major without gaps.
/// Strides of dimensions of extent 1, and of an empty array, do not matter.
bool isRowMajor(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides);

/// Returns the array of `shape`, with `strides` in elements, as a part of a
/// row-major array. Returns the whole array, an empty Part, if it is row-major
/// itself. Returns nothing if it is no such part, as for transposed, reversed,
/// repeated and overlapping arrays, and for rows whose elements are not
/// contiguous.
std::optional<Part> getPart(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides);

/// Copies the array at `source` to `target`, row-major without gaps. An element
/// has `elementSize` bytes, and `strides` are in bytes.
void copyRowMajor(const char *source, ArrayRef<int64_t> shape,
                  ArrayRef<int64_t> strides, unsigned elementSize,
                  char *target);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_LAYOUT_H
