// Storage formats of tensor elements and the values they represent.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_ELEMENT_H
#define POOL_LIB_REFERENCE_ELEMENT_H

#include "pool/Dialect/Pool/IR/TypeInference.h"
#include "pool/Reference/Tensor.h"
#include "llvm/ADT/APFloat.h"

#include <optional>

namespace mlir::pool::reference {

/// Holds any integer element, and the sum of as many as fit memory.
__extension__ typedef __int128 Wide;

/// Looks up a value that is defined outside an operation's region.
using Lookup = llvm::function_ref<const Tensor &(Value)>;

/// Format of one element type. Values are `double` for float types, exact for
/// every type that `get` accepts, and `Wide` for integer types. Signless
/// integers are signed.
class ElementFormat {
public:
  /// Format of f16, bf16, f32, f64, index, an integer of 1 to 64 bits, or the
  /// stored values of a quantised type; none for other types.
  static std::optional<ElementFormat> get(Type type);

  bool isFloat() const { return semantics != nullptr; }
  /// Bytes of one element: the next power of two that holds its bits.
  int64_t getBytes() const;

  /// Loads and stores the value at flat position `position`. A float is rounded
  /// to nearest, half to even; an integer must be in the type's range.
  template <typename ValueT>
  ValueT load(const Tensor &tensor, int64_t position) const;
  template <typename ValueT>
  void store(Tensor &tensor, int64_t position, ValueT value) const;

  /// Stores an element by its bits.
  void storeBits(Tensor &tensor, int64_t position, uint64_t bits) const;

  /// Smallest and largest value of an integer or quantised type; -inf and +inf
  /// for floats.
  template <typename ValueT>
  ValueT getLowest() const;
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

/// Allocates a tensor of zeros. Fails if its element type has no format or
/// memory cannot hold it.
FailureOr<Tensor> allocate(ErrorFn emitError, Type elementType,
                           ArrayRef<int64_t> shape);

/// Checks that `tensor` is a value of `type`, a tensor type, or an element type
/// for a scalar, and that its data has the length of its shape. Messages call
/// it `name`.
LogicalResult checkType(ErrorFn emitError, const Twine &name,
                        const Tensor &tensor, Type type);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_ELEMENT_H
