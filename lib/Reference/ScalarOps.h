// Interprets scalar arithmetic around pooling operations: on scalars,
// elementwise on tensors, or in the body of a linalg operation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_SCALAROPS_H
#define POOL_LIB_REFERENCE_SCALAROPS_H

#include "Element.h"

namespace mlir::pool::reference {

/// One element. Its value is in `number` for a float type, else in `integer`,
/// within the type's range. Signless integers are signed.
struct Scalar {
  Type type;
  Wide integer = 0;
  double number = 0;

  static Scalar load(const Tensor &tensor, int64_t position);
  void store(Tensor &tensor, int64_t position) const;
};

/// True for the operations that `evaluateScalar` supports. These are most of
/// arith and math on floats and integers, scalar constants, and unrealized
/// casts between integer types such as `i8` and `ui8`.
bool isScalarOp(Operation *op);

/// Evaluates a scalar operation. Floats are computed in f64 and rounded to the
/// type of the result; integers wrap. For an operation on tensors, operands and
/// result are one element each. Reports a division by zero at the operation.
FailureOr<Scalar> evaluateScalar(Operation *op, ArrayRef<Scalar> operands);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_SCALAROPS_H
