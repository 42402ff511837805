// Definitions that tablegen generates for the operations: accessors, builders,
// parsers and printers. They are a separate translation unit, because they take
// longer to compile than any other file in this folder.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Clauses.h"
#include "OpRules.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "pool/Dialect/Pool/IR/Quantization.h"
#include "pool/Dialect/Pool/IR/WindowProperties.h"

using namespace mlir;
using namespace mlir::pool;

#define GET_OP_CLASSES
#include "pool/Dialect/Pool/IR/PoolOps.cpp.inc"
