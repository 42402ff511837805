// Names of OpenVINO's element types in ports and in attributes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_PRECISION_H
#define POOL_LIB_IMPORT_OPENVINO_PRECISION_H

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::pool::openvino {

/// The type of a `precision` (FP32, in a port) or a `name` (f32, in an
/// attribute). Signed integers are signless, boolean is i1; null for any other
/// text.
Type getTypeOfPrecision(MLIRContext *context, StringRef precision);
Type getTypeOfName(MLIRContext *context, StringRef name);

/// Inverse functions; signed integers may also have a sign. Empty if there is
/// no name.
StringRef getPrecision(Type type);
StringRef getName(Type type);

/// Bytes of an element in the weights file.
unsigned getElementBytes(Type type);

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_PRECISION_H
