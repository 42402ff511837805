// How the elements of a tensor are stored and which values they stand for.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_ELEMENT_H
#define POOL_LIB_REFERENCE_ELEMENT_H

#include "pool/Dialect/Pool/IR/TypeInference.h"
#include "pool/Reference/Tensor.h"
#include "llvm/ADT/APFloat.h"

#include <optional>

namespace mlir::pool::reference {

/// Holds any integer element, and any sum of as many as memory holds.
__extension__ typedef __int128 Wide;

/// The format of one element type. A value is a `double` for a float type,
/// which is exact for all that `get` accepts, and a `Wide` for an integer type,
/// signless being signed.
class ElementFormat {
public:
  /// The format of f16, bf16, f32, f64, index, an integer of 1 to 64 bits or
  /// the stored values of a quantised type; none for other types.
  static std::optional<ElementFormat> get(Type type);

  bool isFloat() const { return semantics != nullptr; }
  /// Storage of one element: the next power of two that holds its bits.
  int64_t getBytes() const;

  /// The element at flat position `position` and its value. A float is rounded
  /// to nearest, half to even; an integer must be one of the type's.
  template <typename ValueT>
  ValueT load(const Tensor &tensor, int64_t position) const;
  template <typename ValueT>
  void store(Tensor &tensor, int64_t position, ValueT value) const;

  /// Stores an element given by its bits.
  void storeBits(Tensor &tensor, int64_t position, uint64_t bits) const;

  /// The smallest value of an integer or quantised type, -inf of a float type;
  /// and the largest.
  template <typename ValueT>
  ValueT getLowest() const;
  template <typename ValueT>
  ValueT getLargest() const;

private:
  uint64_t loadBits(const Tensor &tensor, int64_t position) const;

  unsigned width = 0;
  bool isSigned = true;
  /// The values of an integer type.
  Wide lowest = 0, largest = 0;
  /// Null for integers.
  const llvm::fltSemantics *semantics = nullptr;
};

/// A tensor of zeros. An error if its element type has no format or memory
/// cannot hold it.
FailureOr<Tensor> allocate(ErrorFn emitError, Type elementType,
                           ArrayRef<int64_t> shape);

/// Checks that `tensor` is a value of `type`: a tensor type, or an element type
/// for a scalar; and that its data is as long as its shape says. `name` is what
/// the messages call it.
LogicalResult checkType(ErrorFn emitError, const Twine &name,
                        const Tensor &tensor, Type type);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_ELEMENT_H
