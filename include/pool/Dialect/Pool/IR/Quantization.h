// Uniformly quantised element types: the integers that they store, and the
// rescaling of an average from one type's parameters to another's.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_QUANTIZATION_H
#define POOL_DIALECT_POOL_IR_QUANTIZATION_H

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/Builders.h"

#include <optional>

namespace mlir::pool {

/// True for a `!quant.uniform` type, per tensor or per axis, that stores
/// integers of 8, 16 or 32 bits.
bool isQuantized(Type type);

/// Returns the integer type that a quantised type stores: unsigned like `ui8`
/// for `!quant.uniform<u8:f32, ...>`, or signless like `i8` for signed storage.
/// Returns any other type unchanged.
Type getStoredType(Type elementType);

/// Returns the stored values of a tensor of a quantised type, as signless
/// integers. Returns any other tensor unchanged. Take extents and slices of the
/// result and not of `tensor`: quantised tensors do not bufferise.
Value getStoredTensor(OpBuilder &b, Location loc, Value tensor);
/// The inverse: returns a tensor of `elementType`. Returns `stored` unless that
/// is quantised.
Value castFromStored(OpBuilder &b, Location loc, Value stored,
                     Type elementType);

/// Returns the zero point of a type quantised per tensor, or 0 for any other
/// type.
int64_t getZeroPoint(Type elementType);

/// True if `type` declares a range of stored values that is smaller than the
/// range of the storage type.
bool hasNarrowRange(quant::QuantizedType type);

/// A ratio of scales in fixed point as TOSA defines it (apply_scale with
/// SINGLE_ROUND). A value is multiplied and then shifted right. The shift
/// rounds to nearest, halves up.
struct Rescale {
  int32_t multiplier;
  /// In the range [2, 62].
  int32_t shift;

  /// Returns the ratio from the scale of `from` to the scale of `to`, both
  /// quantised per tensor, or none if TOSA cannot express the ratio.
  static std::optional<Rescale> get(Type from, Type to);
};

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_QUANTIZATION_H
