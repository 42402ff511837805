// The pool dialect: its attributes, interfaces and operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOL_H
#define POOL_DIALECT_POOL_IR_POOL_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "pool/Dialect/Pool/IR/PoolEnums.h"
#include "pool/Support/WindowRules.h"

#include "pool/Dialect/Pool/IR/PoolDialect.h.inc"

#include "pool/Dialect/Pool/IR/PoolInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "pool/Dialect/Pool/IR/PoolAttributes.h.inc"

#define GET_OP_CLASSES
#include "pool/Dialect/Pool/IR/PoolOps.h.inc"

#endif // POOL_DIALECT_POOL_IR_POOL_H
