// The slow reference interpreter, with which tests compare the lowerings. It
// computes the semantics of the pooling operations window by window. It shares
// the rules of Support and the verifier's constraints with the lowerings, but
// no code that computes elements.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_REFERENCE_INTERPRETER_H
#define POOL_REFERENCE_INTERPRETER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "pool/Reference/Tensor.h"

namespace mlir::pool {

/// Runs the verified function `func` on `args` and returns its results.
///
/// The function has one block. Its values are tensors and scalars of f16, bf16,
/// f32, f64, index, integers of up to 64 bits, and quantised types of these
/// integers. Supported are
///
/// - operations of the pool dialect on tensors, except pool.on_buffers;
/// - most of arith and math, on elements or whole tensors;
/// - linalg operations whose body is scalar arithmetic, on tensors;
/// - most of tensor: shapes, elements, slices, padding, concatenation;
/// - `scf.if`, `for`, `while` and `forall`, `affine.apply`, `min` and `max`;
/// - `func.call`, `cf.assert` and `quant.scast`.
///
/// Fails with a diagnostic at any other operation.
///
/// Fails with a diagnostic at the function if `args` do not fit its type, or if
/// the data of an argument does not fit its shape. Fails with a diagnostic at
/// an operation, before it reads elements, if the extents at run time violate a
/// constraint or disagree with a declared result type.
///
/// Extrema, indices and integer averages are exact. A float average of m
/// elements x is accumulated in f64 in row-major order, divided in f64, and
/// rounded once to the element type, half to even.
///
/// Error bounds for comparisons: let u be 2^-24 for f16, bf16 and f32, which
/// other paths accumulate in f32, and 2^-53 for f64. Let g(m) = m*u / (1 -
/// m*u). A path that sums in any order, and divides or multiplies by a rounded
/// reciprocal, errs by at most g(m) * sum|x| / divisor + u * |average|. The
/// path rounds once more if the element type is narrower than the accumulator.
/// The interpreter's own error is half a unit in the last place of the element
/// type; for f64, this error is as large as the other path's. The bounds hold
/// if no partial sum leaves the range of the accumulator. For a gradient, m is
/// the number of windows that reach an element, and x / divisor is the term
/// that each window adds.
FailureOr<SmallVector<Tensor>> interpret(func::FuncOp func,
                                         ArrayRef<Tensor> args);

} // namespace mlir::pool

#endif // POOL_REFERENCE_INTERPRETER_H
