// A linalg operation that reduces windows of a tensor, recognised by what it
// computes: named pooling ops, and generic ops of the same maps and body.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWREDUCTION_H
#define POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWREDUCTION_H

#include "../Raising.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::pool {

/// What combines two elements of a window.
struct Combine {
  Reduction reduction = Reduction::Sum;
  /// The arith operation's name.
  StringRef name;
  /// Signless elements are compared as unsigned: arith.maxui.
  bool isUnsigned = false;
  /// NaN is taken where there is nothing else: arith.maxnumf.
  bool prefersNumbers = false;
};

struct WindowReduction {
  linalg::LinalgOp op;
  Combine combine;
  /// What the windows slide over; padding is part of it.
  Value input;
  /// What the reduction starts from, of the output's shape.
  Value init;
  /// Without padding.
  OwnedWindow window;
  /// A sum of all spatial positions at once, without a window operand.
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

/// Recognises `op`. On failure `reason` says what is wrong with a window
/// reduction; it is empty if `op` is none.
FailureOr<WindowReduction> matchWindowReduction(linalg::LinalgOp op,
                                                std::string &reason);

/// The constant that all elements of `tensor` are, or null: a splat, or what a
/// `linalg.fill` filled it with.
TypedAttr getSplatConstant(Value tensor);

/// The constant that padding of `pad` is, or null.
TypedAttr getPaddingConstant(tensor::PadOp pad);

/// True if combining with `value` changes nothing.
bool isIdentity(TypedAttr value, const Combine &combine);

/// True if `combine`, of an extremum, of both is always `init`.
bool isAbsorbed(TypedAttr value, TypedAttr init, const Combine &combine);

/// True for the number zero that is not -0.
bool isPositiveZero(TypedAttr value);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_LINALGTOPOOL_WINDOWREDUCTION_H
