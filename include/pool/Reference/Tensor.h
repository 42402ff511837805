// A tensor on the host. The reference interpreter computes with such tensors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_REFERENCE_TENSOR_H
#define POOL_REFERENCE_TENSOR_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <vector>

namespace mlir::pool {

/// Type, shape and elements of a tensor. A scalar has rank 0.
struct Tensor {
  Type elementType;
  SmallVector<int64_t> shape;
  /// The elements, row-major and in the host's byte order. An element takes the
  /// smallest power of two of bytes in which its bits fit: 1 byte for i1, 4 for
  /// i24, 8 for index.
  std::vector<char> data;

  /// Returns the product of the extents, which is 1 for a scalar.
  int64_t getNumElements() const {
    int64_t count = 1;
    for (int64_t extent : shape)
      count *= extent;
    return count;
  }
};

} // namespace mlir::pool

#endif // POOL_REFERENCE_TENSOR_H
