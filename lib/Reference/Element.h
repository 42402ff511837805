// How elements of each type are stored, and which values they represent.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_ELEMENT_H
#define POOL_LIB_REFERENCE_ELEMENT_H

#include "pool/Dialect/Pool/IR/TypeInference.h"
#include "pool/Reference/Tensor.h"
#include "pool/Support/WideInteger.h"
#include "llvm/ADT/APFloat.h"

#include <optional>

namespace mlir::pool::reference {

/// The operands and results of an operation.
using Operands = ArrayRef<const Tensor *>;
using Results = FailureOr<SmallVector<Tensor>>;
/// A function that returns the tensor or scalar that an SSA value has at the
/// moment.
using Lookup = llvm::function_ref<const Tensor &(Value)>;

/// How elements of one type are stored. `ValueT` is `double` for float types:
/// it represents all their values exactly. It is `Wide` for all other types: it
/// can represent the sum of all integers that fit into memory. Signless
/// integers are signed.
class ElementFormat {
public:
  /// Returns the format of f16, bf16, f32, f64, index, an integer of 1 to 64
  /// bits, or the stored integers of a quantized type. Returns none for other
  /// types.
  static std::optional<ElementFormat> get(Type type);

  bool isFloat() const { return semantics != nullptr; }
  /// Returns the number of bytes of an element: the smallest power of two in
  /// which its bits fit.
  int64_t getBytes() const;

  /// Loads the element at the row-major position `position`.
  template <typename ValueT>
  ValueT load(const Tensor &tensor, int64_t position) const;
  /// Stores `value` at the row-major position `position`. Rounds a float to
  /// nearest, ties to even. Drops the high bits of an integer that the type
  /// does not have.
  template <typename ValueT>
  void store(Tensor &tensor, int64_t position, ValueT value) const;

  /// Stores the element that has the given bits.
  void storeBits(Tensor &tensor, int64_t position, uint64_t bits) const;

  /// Returns the smallest value of an integer or quantized type, or -inf for
  /// floats. Must not be called for index.
  template <typename ValueT>
  ValueT getLowest() const;
  /// Returns the largest value of an integer or quantized type, or +inf for
  /// floats. Must not be called for index.
  template <typename ValueT>
  ValueT getLargest() const;

private:
  uint64_t loadBits(const Tensor &tensor, int64_t position) const;

  unsigned width = 0;
  bool isSigned = true;
  /// The smallest and the largest value of an integer or quantized type.
  Wide lowest = 0, largest = 0;
  /// The float format. Null for integers.
  const llvm::fltSemantics *semantics = nullptr;
};

/// Allocates a tensor of zeros. Fails if `elementType` has no format, or if
/// there is not enough memory.
FailureOr<Tensor> allocate(ErrorFn emitError, Type elementType,
                           ArrayRef<int64_t> shape);
/// Allocates a tensor of zeros for each result of `op`. All have the shape
/// `shape`. Emits an error at `op` if this fails or if an extent is negative.
Results allocateResults(Operation *op, ArrayRef<int64_t> shape);

/// Checks that `tensor` is a value of `type`, and that its data has the number
/// of bytes that its shape requires. `type` is a tensor type or a scalar type.
/// Error messages call the tensor `name`.
LogicalResult checkType(ErrorFn emitError, const Twine &name,
                        const Tensor &tensor, Type type);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_ELEMENT_H
