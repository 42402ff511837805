// OpenVINO's element types: the names that ports and attributes have for them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_PRECISION_H
#define POOL_LIB_IMPORT_OPENVINO_PRECISION_H

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::pool::openvino {

/// The type that `precision` (FP32, as a port has it) or `name` (f32, as an
/// attribute has it) names; signed integers are signless, boolean is i1. Null
/// for any other text.
Type getTypeOfPrecision(MLIRContext *context, StringRef precision);
Type getTypeOfName(MLIRContext *context, StringRef name);

/// The opposite; signed integers may also have a sign. Empty if there is none.
StringRef getPrecision(Type type);
StringRef getName(Type type);

/// Bytes of an element in the weights file.
unsigned getElementBytes(Type type);

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_PRECISION_H
