// Checks of what the verifier could not know because an extent is dynamic.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_RUNTIMECHECKS_H
#define POOL_DIALECT_POOL_IR_RUNTIMECHECKS_H

#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// Builds `cf.assert` ops for C7 to C10 over dynamic extents and, for the
/// indices of a maximum, for C12 with indices of type i32 counted from `axis`.
/// Nothing is built where all extents are static. `generateErrorMessage` words
/// the message from what is wrong.
void generateWindowChecks(
    OpBuilder &b, Location loc, WindowOpInterface op,
    function_ref<std::string(Operation *, StringRef)> generateErrorMessage);
void generateIndexChecks(
    OpBuilder &b, Location loc, Operation *op, Value input,
    Type indexElementType, int64_t axis,
    function_ref<std::string(Operation *, StringRef)> generateErrorMessage);

/// C7 to C10 for a window over a tensor of `type` that need not exist: its
/// dynamic extents are `getExtent`'s.
void generateWindowChecks(
    OpBuilder &b, Location loc, Operation *op, RankedTensorType type,
    function_ref<Value(unsigned)> getExtent, const WindowAttrs &window,
    function_ref<std::string(Operation *, StringRef)> generateErrorMessage);

/// `generateRuntimeVerification` before `op`, each message naming the operation
/// and its location.
void insertRuntimeChecks(OpBuilder &b, RuntimeVerifiableOpInterface op);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_RUNTIMECHECKS_H
