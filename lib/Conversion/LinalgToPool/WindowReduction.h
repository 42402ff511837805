// Recognises linalg operations that reduce windows of a tensor: named pooling
// ops, generic ops with the maps and the body of one, and reductions over all
// spatial positions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWREDUCTION_H
#define POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWREDUCTION_H

#include "InferWithReason.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pool {

/// Sets `reason`, and returns failure.
inline LogicalResult fail(std::string &reason, const Twine &why) {
  reason = why.str();
  return failure();
}

/// The operation that combines two elements of a window.
struct Combine {
  Reduction reduction = Reduction::Sum;
  /// Name of the arith operation.
  StringRef name;
  /// True if signless elements are compared as unsigned: arith.maxui and
  /// arith.minui.
  bool isUnsigned = false;
  /// True if NaN loses to every number: arith.maxnumf and arith.minnumf.
  bool prefersNumbers = false;
};

struct WindowReduction {
  linalg::LinalgOp op;
  Combine combine;
  /// The tensor that the windows slide over, padding included.
  Value input;
  /// Initial values of the reduction, a tensor with the shape of the output.
  Value init;
  /// The window without padding.
  OwnedWindow window;
  /// True for a reduction over all spatial positions, which has no window
  /// operand.
  bool isGlobal;

  RankedTensorType getInputType() const {
    return cast<RankedTensorType>(input.getType());
  }
  RankedTensorType getOutputType() const {
    return cast<RankedTensorType>(init.getType());
  }
};

/// Recognises `op`. On failure, `reason` says why the window reduction is not
/// supported, or is empty if `op` is no window reduction.
FailureOr<WindowReduction> matchWindowReduction(linalg::LinalgOp op,
                                                std::string &reason);

/// Returns the constant that every element of `tensor` equals, or null.
/// Recognises splat constants and `linalg.fill`.
TypedAttr getSplatConstant(Value tensor);

/// Returns the constant that `pad` pads with, or null.
TypedAttr getPaddingConstant(tensor::PadOp pad);

/// True if `value` is the initial value of a pooling with `combine`: +0 for a
/// sum, else the number that every other is preferred to.
bool isIdentity(TypedAttr value, const Combine &combine);

/// True if `combine` gives `init` for `value` and `init`, where zeros of either
/// sign count as equal. `combine` must be an extremum.
bool isAbsorbed(TypedAttr value, TypedAttr init, const Combine &combine);

/// True for zero, except -0.
bool isPositiveZero(TypedAttr value);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWREDUCTION_H
