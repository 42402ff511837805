// Arithmetic on single elements: what may stand between pooling operations, by
// itself, on tensors element by element, or inside a linalg operation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_REFERENCE_SCALAROPS_H
#define POOL_LIB_REFERENCE_SCALAROPS_H

#include "Element.h"

namespace mlir::pool::reference {

/// One element: `number` of a float type, `integer` of any other, in the type's
/// range, signless being signed.
struct Scalar {
  Type type;
  Wide integer = 0;
  double number = 0;

  static Scalar load(const Tensor &tensor, int64_t position);
  void store(Tensor &tensor, int64_t position) const;
};

/// True for the operations that `evaluateScalar` knows: those of arith and math
/// on floats and integers, `arith.constant`, and casts between the signs of an
/// integer type.
bool isScalarOp(Operation *op);

/// The result of a scalar operation. Floats are computed in f64 and rounded to
/// the type of the result; integers wrap. An operation on tensors is given
/// elements, and gives one. Reports a division by zero at the operation.
FailureOr<Scalar> evaluateScalar(Operation *op, ArrayRef<Scalar> operands);

} // namespace mlir::pool::reference

#endif // POOL_LIB_REFERENCE_SCALAROPS_H
