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

/// Inverse functions, which also accept signed integer types. Return an empty
/// string for a type that OpenVINO has no name for.
StringRef getPrecision(Type type);
StringRef getName(Type type);

/// Bytes of an element in the weights file.
unsigned getElementBytes(Type type);

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_PRECISION_H
