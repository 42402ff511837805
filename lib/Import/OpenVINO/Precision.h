// Names of OpenVINO's element types in ports and in attributes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_PRECISION_H
#define POOL_LIB_IMPORT_OPENVINO_PRECISION_H

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::pool::openvino {

/// Return the type of a `precision` (FP32, in a port) or a `name` (f32, in an
/// attribute), or null for any other text. Signed integers are signless, and
/// boolean is i1.
Type getTypeOfPrecision(MLIRContext *context, StringRef precision);
Type getTypeOfName(MLIRContext *context, StringRef name);

/// Inverse functions. Signed integers may also be signed types. Return an empty
/// string for other types.
StringRef getPrecision(Type type);
StringRef getName(Type type);

/// Bytes of an element in the weights file.
unsigned getElementBytes(Type type);

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_PRECISION_H
