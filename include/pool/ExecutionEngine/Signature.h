// Arguments and results of an entry point, from the function's type before
// lowering.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_EXECUTIONENGINE_SIGNATURE_H
#define POOL_EXECUTIONENGINE_SIGNATURE_H

#include "pool/ExecutionEngine/ArrayType.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace mlir::pool {

/// An argument or a result: a ranked tensor, or a scalar.
struct ValueSpec {
  /// The type as MLIR writes it, for messages.
  std::string text;
  bool isTensor = false;
  DType dtype;
  /// The extents; `ShapedType::kDynamic` where arrays may have any extent.
  /// Empty for a scalar.
  SmallVector<int64_t> shape;

  bool hasStaticShape() const {
    return llvm::none_of(shape, ShapedType::isDynamic);
  }
  /// Returns the element type and the shape. Requires a static shape.
  ArrayType getArrayType() const { return {dtype, shape}; }
  /// True if an array of `type` can be passed for this argument.
  bool accepts(const ArrayType &type) const;
};

/// The arguments and results of a function.
struct Signature {
  SmallVector<ValueSpec> arguments;
  SmallVector<ValueSpec> results;

  /// Returns the signature of `func`. Fails if no array can hold the values of
  /// an argument or result. The error names that argument or result.
  static llvm::Expected<Signature> get(func::FuncOp func);

  /// Fails unless arrays of `types` can be passed for the arguments. `names`
  /// has the origin of each array, for messages, or is empty.
  llvm::Error checkArguments(ArrayRef<ArrayType> types,
                             ArrayRef<std::string> names = {}) const;
};

/// Returns the public function `name` with a body. If `name` is empty, returns
/// the only public function with a body. Fails if
/// there is no such function, or if `name` is empty and there are several. The
/// error lists the first public functions with a body, and names `option`, the
/// caller's parameter for `name`.
llvm::Expected<func::FuncOp> findEntry(ModuleOp module, StringRef name,
                                       StringRef option = "entry");

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_SIGNATURE_H
