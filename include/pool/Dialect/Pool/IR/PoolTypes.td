// The float and integer element types that pooling supports. Quantized types
// are in PoolOpBase.td. The verifier uses the constraints below. C++ code uses
// the functions that tblgen generates from them, which IR/ElementTypes.h
// declares.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOLTYPES_TD
#define POOL_DIALECT_POOL_IR_POOLTYPES_TD

include "mlir/IR/CommonTypeConstraints.td"

// Words for the diagnostics, which would list every type without them.
defvar Pool_FloatWords = "float (f16, bf16, f32, f64)";
defvar Pool_IntegerWords = "integer (8, 16, 32, 64 bits)";
def Pool_Float : AnyTypeOf<[F16, BF16, F32, F64], Pool_FloatWords> {
  let cppFunctionName = "isPoolFloat";
}
def Pool_Integer : AnyTypeOf<[
    I8, I16, I32, I64, SI8, SI16, SI32, SI64, UI8, UI16, UI32, UI64],
    Pool_IntegerWords> {
  let cppFunctionName = "isPoolInteger";
}

#endif // POOL_DIALECT_POOL_IR_POOLTYPES_TD
