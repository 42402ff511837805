// A slow reference interpreter, whose results tests compare with those of the
// lowerings. It computes the pooling operations window by window, as the
// semantics define them. With the lowerings it shares the window rules of
// Support and the constraints of the verifier, but no code that computes
// elements.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_REFERENCE_INTERPRETER_H
#define POOL_REFERENCE_INTERPRETER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "pool/Reference/Tensor.h"

namespace mlir::pool {

/// Runs the verified function `func` on `args` and returns its results.
///
/// `func` has one block. Its values are tensors and scalars of f16, bf16, f32,
/// f64, index, integers of up to 64 bits, and quantized types of these
/// integers. The following operations are supported:
///
/// - operations of the pool dialect on tensors, except pool.on_buffers;
/// - most of arith and math, on scalars or element by element on tensors;
/// - linalg operations on tensors whose body is scalar arithmetic;
/// - most of tensor: shapes, elements, slices, padding, concatenation;
/// - `scf.if`, `for`, `while` and `forall`, `affine.apply`, `min` and `max`;
/// - `func.call`, `cf.assert` and `quant.scast`.
///
/// Fails, with an error at the operation, at any other operation.
///
/// Fails, with an error at `func`, if `args` do not fit its type or if the data
/// of an argument does not fit its shape. Fails, with an error at an operation,
/// if the extents at run time violate a constraint, before it reads elements.
/// Also fails there if a result does not fit its declared type.
///
/// Extrema, indices and integer averages are exact. A float average of m
/// elements x is summed in f64 in row-major order, divided in f64, and rounded
/// once to the element type, ties to even.
///
/// Error bounds, for comparisons with another path. Other paths sum f16, bf16
/// and f32 in f32, and f64 in f64. Let u be 2^-24 if they sum in f32, and 2^-53
/// if they sum in f64. Let g(m) = m*u / (1 - m*u). A path that sums in any
/// order, and divides or multiplies by a rounded reciprocal, has an error of at
/// most g(m) * sum|x| / divisor + u * |average|. If the element type is
/// narrower than the accumulator, it rounds once more. The interpreter's own
/// error is half a unit in the last place of the element type. For f64
/// elements, its error is as large as that of the other path. The bounds hold
/// if no partial sum leaves the range of the accumulator. For a gradient, m is
/// the number of windows that cover an element, and x / divisor is what each
/// window adds.
FailureOr<SmallVector<Tensor>> interpret(func::FuncOp func,
                                         ArrayRef<Tensor> args);

} // namespace mlir::pool

#endif // POOL_REFERENCE_INTERPRETER_H
