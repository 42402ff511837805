// Recognizes linalg operations that reduce windows of a tensor. These are named
// pooling ops, linalg.generic ops with the same maps and body, and reductions
// over all spatial positions.
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

/// The operation that combines an element of a window with the accumulator.
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
  /// The window. Its pads are 0, because padding is part of `input`.
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

/// Recognizes `op` as a window reduction. On failure, `reason` says why the
/// window reduction is not supported, or is empty if `op` is no window
/// reduction.
FailureOr<WindowReduction> matchWindowReduction(linalg::LinalgOp op,
                                                std::string &reason);

/// Returns the constant that every element of `tensor` equals, or null.
/// Recognizes splat constants and `linalg.fill`.
TypedAttr getSplatConstant(Value tensor);

/// Returns the constant that `pad` pads with. Returns null if the value is not
/// a constant.
TypedAttr getPaddingConstant(tensor::PadOp pad);

/// True if `value` is the identity of `combine`, from which a pooling starts.
/// This is +0 for a sum, and -inf or the smallest integer for a maximum. For a
/// minimum, it is +inf or the largest integer.
bool isIdentity(TypedAttr value, const Combine &combine);

/// True if combining `value` with `init` gives `init`, so that `value` has no
/// effect. Zeros of either sign count as equal, and NaN gives false. `combine`
/// must be a maximum or minimum.
bool isAbsorbed(TypedAttr value, TypedAttr init, const Combine &combine);

/// True for the float +0 and the integer 0.
bool isPositiveZero(TypedAttr value);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWREDUCTION_H
