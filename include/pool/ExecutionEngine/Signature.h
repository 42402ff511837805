// The arguments and results of an entry point, as the function's type says them
// before anything is lowered.
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
  /// The extents, `ShapedType::kDynamic` where any is accepted; empty for a
  /// scalar.
  SmallVector<int64_t> shape;

  bool hasStaticShape() const {
    return llvm::none_of(shape, ShapedType::isDynamic);
  }
  /// Element type and shape; only for a static shape.
  ArrayType getArrayType() const { return {dtype, shape}; }
  /// True if an array of this type can be passed.
  bool accepts(const ArrayType &type) const;
};

/// The arguments and results of a function.
struct Signature {
  SmallVector<ValueSpec> arguments;
  SmallVector<ValueSpec> results;

  /// Fails, naming the argument or result, if a type has no array type.
  static llvm::Expected<Signature> get(func::FuncOp func);

  /// Fails unless arrays of `types` are what the function takes: their number,
  /// element types and shapes. `names` says in messages where each one comes
  /// from; it may be empty.
  llvm::Error checkArguments(ArrayRef<ArrayType> types,
                             ArrayRef<std::string> names = {}) const;
};

/// The public function with a body that is called `name`, or the only one there
/// is if `name` is empty. Fails with the names there are.
llvm::Expected<func::FuncOp> findEntry(ModuleOp module, StringRef name);

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_SIGNATURE_H
