// Checks of what the verifier could not know because an extent is dynamic.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_RUNTIMECHECKS_H
#define POOL_DIALECT_POOL_IR_RUNTIMECHECKS_H

#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// `generateRuntimeVerification` before `op`, each message naming the operation
/// and its location.
void insertRuntimeChecks(OpBuilder &b, RuntimeVerifiableOpInterface op);

/// The same before every operation of the dialect below `root`.
void insertRuntimeChecks(Operation *root);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_RUNTIMECHECKS_H
