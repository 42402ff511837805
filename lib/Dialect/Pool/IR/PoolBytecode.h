// Declares the function that registers the dialect's bytecode interface.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_IR_POOLBYTECODE_H
#define POOL_LIB_DIALECT_POOL_IR_POOLBYTECODE_H

namespace mlir::pool {
class PoolDialect;

namespace detail {
void addBytecodeInterface(PoolDialect &dialect);
} // namespace detail
} // namespace mlir::pool

#endif // POOL_LIB_DIALECT_POOL_IR_POOLBYTECODE_H
