// Finds interfaces that a dialect promises and the context's registry lacks.
//
// Upstream reports a broken promise in debug builds only. In a release build,
// the operation looks like one without the interface, and passes skip or
// reject it for the wrong reason.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_UTILS_PROMISES_H
#define POOL_DIALECT_POOL_UTILS_PROMISES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/Operation.h"
#include "llvm/Support/TypeName.h"

namespace mlir::pool {

/// Reports that `op` needs `interface` of its dialect. The error names the
/// function that registers the interface.
LogicalResult emitBrokenPromise(Operation *op, StringRef interface);

/// Fails, with an error at `op`, if the dialect of `op` promises InterfaceT for
/// it, and nobody registered the implementation. Succeeds if nothing is
/// promised.
template <typename InterfaceT>
LogicalResult requireModel(Operation *op) {
  Dialect *dialect = op->getDialect();
  if (!dialect || !dialect->hasPromisedInterface(op->getName().getTypeID(),
                                                 InterfaceT::getInterfaceID()))
    return success();
  return emitBrokenPromise(op, llvm::getTypeName<InterfaceT>());
}

/// Calls requireModel for all operations on tensors in `root`, up to the first
/// error.
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
