// Uniformly quantised element types: which integers they store, and how an
// average moves from the parameters of one to those of another.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_QUANTIZATION_H
#define POOL_DIALECT_POOL_UTILS_QUANTIZATION_H

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/Builders.h"

#include <optional>

namespace mlir::pool {

/// True for a `!quant.uniform` type, per tensor or per axis, that stores its
/// values in integers of 8, 16 or 32 bits.
bool isQuantized(Type type);

/// The integer type of the stored values with their sign (`i8`, or `ui8` for
/// `!quant.uniform<u8:f32, ...>`); any other type is returned as it is.
Type getStoredType(Type elementType);

/// The stored values of a tensor of a quantised type, signless; any other
/// tensor as it is. Extents are asked of it, and slices taken: it has a buffer.
Value getStoredTensor(OpBuilder &b, Location loc, Value tensor);

/// The zero point of a type with one; 0 for any other type.
int64_t getZeroPoint(Type elementType);

/// True if the type stores fewer values than its storage has.
bool hasNarrowRange(quant::QuantizedType type);

/// A ratio of scales in fixed point as TOSA defines it: a value is multiplied
/// and then shifted right, rounding to nearest and halves up (its apply_scale
/// under SINGLE_ROUND).
struct Rescale {
  int32_t multiplier;
  /// In [2, 62].
  int32_t shift;

  /// From the scale of `from` to that of `to`, both quantised per tensor; none
  /// if TOSA cannot express it.
  static std::optional<Rescale> get(Type from, Type to);
};

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_QUANTIZATION_H
