// Element types and shapes of the arrays that callers exchange with compiled
// code: their names in NumPy, and the MLIR types that they hold.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_EXECUTIONENGINE_ARRAYTYPE_H
#define POOL_EXECUTIONENGINE_ARRAYTYPE_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mlir::pool {

/// An element type of NumPy, or bfloat16, which NumPy stores as a void type.
struct DType {
  enum class Kind : uint8_t { Bool, Signed, Unsigned, Float, BFloat };

  Kind kind = Kind::Float;
  /// Storage of one element in bytes.
  uint8_t size = 4;

  bool operator==(const DType &other) const {
    return kind == other.kind && size == other.size;
  }
  bool operator!=(const DType &other) const { return !(*this == other); }

  /// True for signed and unsigned integers, not for bool.
  bool isInteger() const {
    return kind == Kind::Signed || kind == Kind::Unsigned;
  }

  /// NumPy's name: `float32`, `uint8`, `bool`, `bfloat16`.
  std::string getName() const;

  /// The `descr` of an .npy header in the host's byte order: `<f4`, `|u1`. For
  /// bf16 it is `<V2`, as ml_dtypes writes it.
  std::string getDescr() const;
};

/// Returns the element type that holds values of `type`, or none if there is no
/// such type. Supports f16, bf16, f32, f64 and integers of 8 to 64 bits;
/// signless ones are signed. i1 is bool, index is int64, and a quantised type
/// has the type of its storage.
std::optional<DType> getDType(Type type);

/// Element type and shape of an array; rank 0 is a scalar.
struct ArrayType {
  DType dtype;
  SmallVector<int64_t> shape;

  /// For messages: `float32 (2, 3)`.
  std::string str() const;

  /// Bytes of the elements, row-major and without gaps. None if the number
  /// exceeds int64.
  std::optional<int64_t> getNumBytes() const;
};

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_ARRAYTYPE_H
