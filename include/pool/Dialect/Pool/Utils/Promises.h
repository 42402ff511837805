// Finds interfaces that a dialect promises and the context's registry lacks.
//
// Upstream reports a broken promise in debug builds only. In a release build,
// the operation looks like an operation without the interface. Passes then skip
// it, or reject it with a misleading message.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_PROMISES_H
#define POOL_DIALECT_POOL_UTILS_PROMISES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/TypeName.h"

namespace mlir::pool {

/// Reports that `op` needs `interface`, which its dialect promises. The error
/// names the function that registers the interface. Returns failure.
LogicalResult emitBrokenPromise(Operation *op, StringRef interface);

/// Fails, with an error at `op`, if the dialect of `op` promises an
/// implementation of InterfaceT that is not registered. Succeeds if the dialect
/// promises nothing, or if the implementation is registered.
template <typename InterfaceT>
LogicalResult requireModel(Operation *op) {
  Dialect *dialect = op->getDialect();
  if (!dialect || !dialect->hasPromisedInterface(op->getName().getTypeID(),
                                                 InterfaceT::getInterfaceID()))
    return success();
  return emitBrokenPromise(op, llvm::getTypeName<InterfaceT>());
}

/// Calls requireModel with each of InterfaceTs for `root` and all operations
/// inside `root`. Skips operations without tensor operands and results. Fails
/// at the first error.
template <typename... InterfaceTs>
LogicalResult requireModelsOnTensors(Operation *root) {
  WalkResult result = root->walk([](Operation *op) {
    bool hasTensors =
        llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ||
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
    return WalkResult(success(
        !hasTensors || (succeeded(requireModel<InterfaceTs>(op)) && ...)));
  });
  return success(!result.wasInterrupted());
}

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_UTILS_PROMISES_H
