// The enumerations of the pool dialect as plain C++: no IR types, so that the
// window arithmetic can use them. Generated from PoolEnums.td.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOLENUMS_H
#define POOL_DIALECT_POOL_IR_POOLENUMS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "pool/Dialect/Pool/IR/PoolEnums.h.inc"

#endif // POOL_DIALECT_POOL_IR_POOLENUMS_H
