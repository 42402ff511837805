// What JAX computes unknown extents with, as arithmetic on indices.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_STABLEHLOTOLINALG_EXTENTS_H
#define POOL_LIB_CONVERSION_STABLEHLOTOLINALG_EXTENTS_H

#include "mlir/IR/Builders.h"

namespace mlir::pool {

/// An element of an integer tensor of rank 0 or 1.
struct ShapeElement {
  Value tensor;
  int64_t position = 0;
};

/// The constant that `element` is, if it is one as it stands.
std::optional<int64_t> getKnown(ShapeElement element);

/// `elements` as indices, if all of them are computed from constants and
/// extents of tensors by integers of 32 bits or more, which are taken not to
/// wrap; else nothing, and nothing is created.
std::optional<SmallVector<Value>>
createExtents(OpBuilder &b, Location loc, ArrayRef<ShapeElement> elements);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_STABLEHLOTOLINALG_EXTENTS_H
