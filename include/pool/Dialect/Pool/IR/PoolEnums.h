// The enumerations of the pool dialect as plain C++, without IR types, for the
// window arithmetic. Generated from PoolEnums.td.
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
