// The reference interpreter: the slow path that every other one is compared
// with. It transcribes the semantics of the pooling operations window by window
// and shares nothing with the lowerings but Support/WindowRules.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_REFERENCE_INTERPRETER_H
#define POOL_REFERENCE_INTERPRETER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "pool/Reference/Tensor.h"

namespace mlir::pool {

/// Runs `func`, which must be verified, on `args` and returns what it returns.
///
/// The function is straight-line code of the operations on tensors of the pool
/// dialect, of what may stand between them and of `func.return`, on tensors and
/// scalars of f16, bf16, f32, f64, index and integers of up to 64 bits. Between
/// them may stand `func.call`, `cf.assert`, `tensor.cast`, `dim`, `empty`,
/// `extract`, `collapse_shape` and `expand_shape`, arithmetic of arith and math
/// on elements or whole tensors, `linalg.fill` and `linalg.generic`. Anything
/// else, and `pool.window_reduce`, is an error at the operation.
///
/// Fails with a diagnostic: at the function where `args` do not fit its type
/// or their own data; at an operation, before it reads anything, where the
/// extents that only run time knows violate a constraint, with the verifier's
/// words, or disagree with a declared result type.
///
/// Maxima, indices and integer averages are exact. The average of a float
/// window of m elements x is accumulated, in row-major order, and divided in
/// f64, then rounded once to the element type, half to even. Let u be 2^-24 for
/// f16, bf16 and f32, which other paths accumulate in f32, and 2^-53 for f64,
/// and g(m) = m*u / (1 - m*u). A path that sums in any order and divides, or
/// multiplies by a rounded reciprocal, errs by at most
/// g(m) * sum|x| / divisor + u * |average|, and rounds once more where the
/// element type is narrower than the accumulator; the interpreter's own error
/// is half a unit in the last place of the element type, and for f64 as large
/// as the other path's. This holds where no partial sum leaves the range of the
/// accumulator. For a gradient, m is the number of windows that reach an
/// element, and x / divisor what each of them adds.
FailureOr<SmallVector<Tensor>> interpret(func::FuncOp func,
                                         ArrayRef<Tensor> args);

} // namespace mlir::pool

#endif // POOL_REFERENCE_INTERPRETER_H
