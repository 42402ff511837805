// Includes all definitions of the pool dialect, for tablegen.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOL_TD
#define POOL_DIALECT_POOL_IR_POOL_TD

include "pool/Dialect/Pool/IR/PoolAdaptiveOps.td"
include "pool/Dialect/Pool/IR/PoolAttributes.td"
include "pool/Dialect/Pool/IR/PoolOps.td"
include "pool/Dialect/Pool/IR/PoolScatterOps.td"
include "pool/Dialect/Pool/IR/PoolWindowOp.td"

#endif // POOL_DIALECT_POOL_IR_POOL_TD
