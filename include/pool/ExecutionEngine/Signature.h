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
  /// Extents, `ShapedType::kDynamic` if any is accepted. Empty for a scalar.
  SmallVector<int64_t> shape;

  bool hasStaticShape() const {
    return llvm::none_of(shape, ShapedType::isDynamic);
  }
  /// Element type and shape. Requires a static shape.
  ArrayType getArrayType() const { return {dtype, shape}; }
  /// True if an array of this type can be passed.
  bool accepts(const ArrayType &type) const;
};

/// The arguments and results of a function.
struct Signature {
  SmallVector<ValueSpec> arguments;
  SmallVector<ValueSpec> results;

  /// Fails and names the argument or result if an array cannot hold its type.
  static llvm::Expected<Signature> get(func::FuncOp func);

  /// Fails unless arrays of `types` fit the function's arguments. `names` has
  /// the origin of each array, for messages; it may be empty.
  llvm::Error checkArguments(ArrayRef<ArrayType> types,
                             ArrayRef<std::string> names = {}) const;
};

/// Returns the public function `name`, which must have a body. If `name` is
/// empty, returns the only such function. An error lists the functions.
llvm::Expected<func::FuncOp> findEntry(ModuleOp module, StringRef name);

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_SIGNATURE_H
