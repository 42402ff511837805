// Types of the arguments and results of an entry point. They are taken from the
// function's type before lowering.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_EXECUTIONENGINE_SIGNATURE_H
#define POOL_EXECUTIONENGINE_SIGNATURE_H

#include "pool/ExecutionEngine/ArrayType.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace mlir::pool {

/// Type of an argument or a result, which is a ranked tensor or a scalar.
struct ValueSpec {
  /// The type as MLIR prints it, for messages.
  std::string text;
  bool isTensor = false;
  DType dtype;
  /// The extents, with `ShapedType::kDynamic` for each one that arrays may
  /// choose. Empty for a scalar.
  SmallVector<int64_t> shape;

  bool hasStaticShape() const {
    return llvm::none_of(shape, ShapedType::isDynamic);
  }
  /// Returns the element type and the shape. Requires that the shape is static.
  ArrayType getArrayType() const { return {dtype, shape}; }
  /// True if `type` has this element type, this rank and this shape. Any extent
  /// fits a dynamic one.
  bool accepts(const ArrayType &type) const;
};

/// Types of the arguments and results of a function.
struct Signature {
  SmallVector<ValueSpec> arguments;
  SmallVector<ValueSpec> results;

  /// Returns the signature of `func`. Fails if there is an argument or result
  /// that no array can hold; the error names it.
  static llvm::Expected<Signature> get(func::FuncOp func);

  /// Fails unless arrays of `types` can be passed as the arguments. `names`
  /// says where each array comes from, for messages. It may be empty.
  llvm::Error checkArguments(ArrayRef<ArrayType> types,
                             ArrayRef<std::string> names = {}) const;
};

/// Returns the public function `name`, which must have a body. If `name` is
/// empty, returns the only public function with a body. Fails if there is no
/// such function, or if `name` is empty and there are several. The error lists
/// up to ten functions. It asks the user to choose one by `option`, which is
/// the user's name for the parameter `name`.
llvm::Expected<func::FuncOp> findEntry(ModuleOp module, StringRef name,
                                       StringRef option = "entry");

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_SIGNATURE_H
