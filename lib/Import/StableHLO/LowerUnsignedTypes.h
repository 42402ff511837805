// Rewrites to run after jaxlib's stablehlo-legalize-to-linalg.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_STABLEHLO_LOWERUNSIGNEDTYPES_H
#define POOL_LIB_IMPORT_STABLEHLO_LOWERUNSIGNEDTYPES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::pool {

/// Makes a module ready for bufferisation and compilation, after jaxlib has
/// lowered it to linalg. Replaces casts between signed and unsigned tensors by
/// elementwise operations. Makes math operations on f16 and bf16 compute in
/// f32. Converts f64 to f16 or bf16 through f32, with the same result as one
/// rounding.
void lowerUnsignedTypes(ModuleOp module);

} // namespace mlir::pool

#endif // POOL_LIB_IMPORT_STABLEHLO_LOWERUNSIGNEDTYPES_H
