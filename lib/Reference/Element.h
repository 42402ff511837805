// Storage formats of tensor elements and the values they represent.
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
/// Returns the tensor or scalar that an SSA value has while the function runs.
using Lookup = llvm::function_ref<const Tensor &(Value)>;

/// Format of one element type. `ValueT` is `double` for float types, which it
/// holds exactly, and `Wide` for all other types, which holds the sum of as
/// many integers as fit memory. Signless integers are signed.
class ElementFormat {
public:
  /// Format of f16, bf16, f32, f64, index, an integer of 1 to 64 bits, or the
  /// stored values of a quantised type; none for other types.
  static std::optional<ElementFormat> get(Type type);

  bool isFloat() const { return semantics != nullptr; }
  /// Bytes of one element: the next power of two that holds its bits.
  int64_t getBytes() const;

  /// Loads the value at flat position `position`.
  template <typename ValueT>
  ValueT load(const Tensor &tensor, int64_t position) const;
  /// Stores `value` at flat position `position`. Rounds a float to nearest,
  /// ties to even. Keeps only those low bits of an integer that the type has.
  template <typename ValueT>
  void store(Tensor &tensor, int64_t position, ValueT value) const;

  /// Stores an element by its bits.
  void storeBits(Tensor &tensor, int64_t position, uint64_t bits) const;

  /// Smallest value of an integer or quantised type; -inf for floats. Not
  /// defined for index.
  template <typename ValueT>
  ValueT getLowest() const;
  /// Largest value of an integer or quantised type; +inf for floats. Not
  /// defined for index.
  template <typename ValueT>
  ValueT getLargest() const;

private:
  uint64_t loadBits(const Tensor &tensor, int64_t position) const;

  unsigned width = 0;
  bool isSigned = true;
  /// Range of an integer type.
  Wide lowest = 0, largest = 0;
  /// Null for integers.
  const llvm::fltSemantics *semantics = nullptr;
};

/// Allocates a tensor of zeros. Fails if `elementType` has no format or memory
/// cannot hold the tensor.
FailureOr<Tensor> allocate(ErrorFn emitError, Type elementType,
                           ArrayRef<int64_t> shape);
/// Allocates a tensor of `shape` for each result of `op`. Reports there if that
/// fails, or if an extent is negative.
Results allocateResults(Operation *op, ArrayRef<int64_t> shape);

/// Checks that `tensor` is a value of `type` and that its data has the length
/// that its shape requires. `type` is a tensor type, or the type of a scalar.
/// Messages call the tensor `name`.
LogicalResult checkType(ErrorFn emitError, const Twine &name,
                        const Tensor &tensor, Type type);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_ELEMENT_H
