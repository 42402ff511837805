// Recognises linalg operations that reduce windows of a tensor: named pooling
// ops, and generic ops with the same maps and body.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWREDUCTION_H
#define POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWREDUCTION_H

#include "../Raising.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pool {

/// The operation that combines two elements of a window.
struct Combine {
  Reduction reduction = Reduction::Sum;
  /// Name of the arith operation.
  StringRef name;
  /// True if signless elements are compared as unsigned: arith.maxui.
  bool isUnsigned = false;
  /// True if NaN loses to every number: arith.maxnumf.
  bool prefersNumbers = false;
};

struct WindowReduction {
  linalg::LinalgOp op;
  Combine combine;
  /// The tensor that the windows slide over, padding included.
  Value input;
  /// Initial values of the reduction, of the output's shape.
  Value init;
  /// The window without padding.
  OwnedWindow window;
  /// True for a sum over all spatial positions, which has no window operand.
  bool isGlobal;

  RankedTensorType getInputType() const {
    return cast<RankedTensorType>(input.getType());
  }
  RankedTensorType getOutputType() const {
    return cast<RankedTensorType>(init.getType());
  }
};

/// True for the `linalg.pooling_*` operations.
bool isNamedPooling(linalg::LinalgOp op);

/// Recognises `op`. If `op` is a window reduction that is not supported,
/// `reason` says why. It is empty if `op` is no window reduction.
FailureOr<WindowReduction> matchWindowReduction(linalg::LinalgOp op,
                                                std::string &reason);

/// Returns the constant that every element of `tensor` equals, or null. Looks
/// through a splat constant and `linalg.fill`.
TypedAttr getSplatConstant(Value tensor);

/// Returns the constant that `pad` pads with, or null.
TypedAttr getPaddingConstant(tensor::PadOp pad);

/// True if combining with `value` changes nothing.
bool isIdentity(TypedAttr value, const Combine &combine);

/// True if the extremum `combine` of `value` and `init` is always `init`.
bool isAbsorbed(TypedAttr value, TypedAttr init, const Combine &combine);

/// True for zero, except -0.
bool isPositiveZero(TypedAttr value);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWREDUCTION_H
