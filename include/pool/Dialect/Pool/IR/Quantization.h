// Helpers for uniformly quantized element types: casts to the integers that
// they store, and rescaling of an average from one type's parameters to
// another's.
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

/// Returns the integer type that a quantized type stores: unsigned like `ui8`
/// for `!quant.uniform<u8:f32, ...>`, or signless like `i8` for signed storage.
/// Returns any other type unchanged.
Type getStoredType(Type elementType);

/// If `tensor` has a quantized element type, returns a cast to its stored
/// integers. Their type is signless, even if getStoredType() is unsigned.
/// Returns any other tensor unchanged. Create tensor.dim and slices of the
/// result, not of `tensor`, because quantized tensors do not bufferize.
Value getStoredTensor(OpBuilder &b, Location loc, Value tensor);
/// Inverse of getStoredTensor: returns `stored`, a tensor of signless integers,
/// cast to a tensor of `elementType`. Returns `stored` unchanged if
/// `elementType` is not quantized.
Value castFromStored(OpBuilder &b, Location loc, Value stored,
                     Type elementType);

/// Returns the zero point of a type that is quantized per tensor. Returns 0 for
/// any other type, even if it is quantized per axis.
int64_t getZeroPoint(Type elementType);

/// True if `type` declares a range of stored values that is smaller than the
/// range of the storage type.
bool hasNarrowRange(quant::QuantizedType type);

/// A ratio of two scales as a fixed-point number: `multiplier / 2^shift`. To
/// rescale a value, multiply by `multiplier` and shift right by `shift`; the
/// shift rounds to nearest, ties up. This is TOSA's apply_scale with
/// SINGLE_ROUND.
struct Rescale {
  int32_t multiplier;
  /// Number of bits to shift right by, from 2 to 62.
  int32_t shift;

  /// Returns the scale of `from` divided by the scale of `to`. Returns none if
  /// TOSA cannot express the ratio. Requires types that are quantized per
  /// tensor.
  static std::optional<Rescale> get(Type from, Type to);
};

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_QUANTIZATION_H
