// Interprets scalar arithmetic. It may be on scalars, on tensors element by
// element, or in the body of a linalg operation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_SCALAROPS_H
#define POOL_LIB_REFERENCE_SCALAROPS_H

#include "Element.h"

namespace mlir::pool::reference {

/// One element of type `type`. Its value is in `number` for a float type, and
/// otherwise in `integer`, within the range of the type. Signless integers are
/// signed.
struct Scalar {
  Type type;
  Wide integer = 0;
  double number = 0;

  static Scalar load(const Tensor &tensor, int64_t position);
  void store(Tensor &tensor, int64_t position) const;
};

/// True if `evaluateScalar` supports `op`. It supports most of arith and math
/// on floats and integers, scalar constants, and unrealized casts between
/// integer types such as `i8` and `ui8`.
bool isScalarOp(Operation *op);

/// Evaluates a scalar operation. Computes floats in f64 and rounds to the type
/// of the result. Integers wrap around. For an operation on tensors, `operands`
/// has one element of each tensor. Emits an error at `op` if it divides by
/// zero.
FailureOr<Scalar> evaluateScalar(Operation *op, ArrayRef<Scalar> operands);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_SCALAROPS_H
