// Element types and shapes of the arrays that callers exchange with compiled
// code, with their names in NumPy. They are derived from MLIR types.
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

/// An element type of NumPy, or bfloat16. NumPy has no bfloat16: .npy files
/// store it as a void type of 2 bytes.
struct DType {
  enum class Kind : uint8_t { Bool, Signed, Unsigned, Float, BFloat };

  Kind kind = Kind::Float;
  /// Size of one element in bytes.
  uint8_t size = 4;

  bool operator==(const DType &other) const {
    return kind == other.kind && size == other.size;
  }
  bool operator!=(const DType &other) const { return !(*this == other); }

  /// True for signed and unsigned integers, false for bool.
  bool isInteger() const {
    return kind == Kind::Signed || kind == Kind::Unsigned;
  }

  /// Returns NumPy's name of the type: `float32`, `uint8`, `bool`, `bfloat16`.
  std::string getName() const;

  /// Returns the `descr` of an .npy header in the host's byte order: `<f4`,
  /// `|u1`. For bfloat16 it is `<V2`, as ml_dtypes writes it.
  std::string getDescr() const;
};

/// Returns the DType that holds values of the MLIR type `type`, or none if
/// there is no such DType. Supports f16, bf16, f32, f64 and integers of 8, 16,
/// 32 or 64 bits. Signless integers become signed, i1 becomes bool, index
/// becomes int64, and a quantized type becomes its storage type.
std::optional<DType> getDType(Type type);

/// Element type and shape of an array. A scalar has rank 0.
struct ArrayType {
  DType dtype;
  SmallVector<int64_t> shape;

  /// Returns a description for messages, for example `float32 (2, 3)`.
  std::string str() const;

  /// Returns the number of bytes of all elements, stored without gaps. Returns
  /// none if the number does not fit int64.
  std::optional<int64_t> getNumBytes() const;
};

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_ARRAYTYPE_H
