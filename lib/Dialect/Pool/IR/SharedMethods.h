// Implementations of methods that several operations share. The definitions
// that TableGen generates call them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_IR_SHAREDMETHODS_H
#define POOL_LIB_DIALECT_POOL_IR_SHAREDMETHODS_H

#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool::detail {
/// Reads the properties of an operation of the dialect from bytecode, which
/// stores them as a dictionary. Sets `properties`, which must point to the
/// properties of `state`. Fails with an error for a key or a value that does
/// not fit.
LogicalResult readProperties(DialectBytecodeReader &reader,
                             OperationState &state,
                             OpaqueProperties properties);
/// Infers the result types from the operands and properties of `state`, and
/// adds them to `state`. If `indexElementType` is not null, also adds the type
/// of the indices. Ends the process if no type can be inferred.
void addInferredTypes(OpBuilder &b, OperationState &state,
                      Type indexElementType);

Speculation::Speculatability getWindowSpeculatability(WindowOpInterface op);
Speculation::Speculatability getAdaptiveSpeculatability(AdaptiveOpInterface op);

// These functions implement methods of max_pool and of min_pool.
LogicalResult foldExtremum(ExtremumOpInterface op,
                           SmallVectorImpl<OpFoldResult> &results);
ElementReduction getExtremumReduction(ExtremumOpInterface op);
void inferExtremumRanges(ExtremumOpInterface op,
                         ArrayRef<IntegerValueRange> ranges,
                         SetIntLatticeFn setResultRange);

// These functions implement methods of max_pool_grad and of min_pool_grad.
LogicalResult verifyExtremumGradOp(ExtremumGradOpInterface op);
OpFoldResult foldExtremumGrad(ExtremumGradOpInterface op);
Speculation::Speculatability
getExtremumGradSpeculatability(ExtremumGradOpInterface op);
} // namespace mlir::pool::detail

#endif // POOL_LIB_DIALECT_POOL_IR_SHAREDMETHODS_H
