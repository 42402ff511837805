// Names of OpenVINO's element types in ports and in attributes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_PRECISION_H
#define POOL_LIB_IMPORT_OPENVINO_PRECISION_H

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::pool::openvino {

/// Return the type of a `precision` (in a port, such as FP32) or of a `name`
/// (in an attribute, such as f32). Return null for any other text. Signed
/// integers of OpenVINO are signless in MLIR, and boolean is i1.
Type getTypeOfPrecision(MLIRContext *context, StringRef precision);
Type getTypeOfName(MLIRContext *context, StringRef name);

/// Return the `precision` or the `name` of a type, which may also be a signed
/// integer type. Return an empty string if OpenVINO has no name for it.
StringRef getPrecision(Type type);
StringRef getName(Type type);

/// Returns the number of bytes of an element in the weights file.
unsigned getElementBytes(Type type);

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_PRECISION_H
