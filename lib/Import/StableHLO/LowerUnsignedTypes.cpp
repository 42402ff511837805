// Lowers what jaxlib's lowering to linalg leaves: casts of unsigned tensors,
// and operations on f16 and bf16.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LowerUnsignedTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/ElementBuilder.h"
#include "pool/Dialect/Pool/Utils/Elementwise.h"

using namespace mlir;
using namespace mlir::pool;

/// Replaces a cast that changes the signedness of a tensor's elements by casts
/// of the elements, because one-shot bufferisation does not support such a cast
/// of a whole tensor.
static void lowerCast(UnrealizedConversionCastOp cast) {
  if (cast.getNumOperands() != 1 || cast.getNumResults() != 1)
    return;
  Value source = cast.getOperand(0);
  auto from = dyn_cast<RankedTensorType>(source.getType());
  auto to = dyn_cast<RankedTensorType>(cast.getType(0));
  if (!from || !to || from.getShape() != to.getShape() ||
      getSignless(from.getElementType()) != getSignless(to.getElementType()))
    return;
  OpBuilder b(cast);
  Location loc = cast.getLoc();
  auto generic = createElementwise(
      b, loc, source, tensor::getMixedSizes(b, loc, source),
      to.getElementType(),
      [&](OpBuilder &b, Location loc, ValueRange elements) {
        return castFromSignless(b, loc, castToSignless(b, loc, elements[0]),
                                to.getElementType());
      });
  cast.getResult(0).replaceAllUsesWith(generic.getResult(0));
  cast.erase();
}

/// Converts an f64 to f32 by "round to odd": rounds toward zero, and sets the
/// last bit if the result is not exact. Rounding this f32 to 16 bits gives the
/// same result as rounding the f64 to 16 bits. Rounding to the nearest f32
/// instead would be wrong: that may be halfway between two 16-bit values
/// although the f64 is not.
static Value truncateToOdd(ElementBuilder &b, Value value) {
  Value nearest = arith::TruncFOp::create(b, b.getF32Type(), value);
  Value back = arith::ExtFOp::create(b, b.getF64Type(), nearest);
  Value bits = arith::BitcastOp::create(b, b.getI32Type(), nearest);
  // This unordered comparison is true for NaN too, so NaN is kept.
  Value isExact =
      arith::CmpFOp::create(b, arith::CmpFPredicate::UEQ, back, value);
  Value isOdd = arith::TruncIOp::create(b, b.getI1Type(), bits);
  Value isKept = b.bitOr(isExact, isOdd);
  // If `nearest` is inexact and its last bit is 0, take the next f32 on the
  // other side of the f64, whose last bit is 1. Adding 1 to the bits of a float
  // moves it away from zero.
  Value isBelow = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT,
                                        math::AbsFOp::create(b, back),
                                        math::AbsFOp::create(b, value));
  Value next = b.select(isBelow, b.splat(b.getI32Type(), 1), -1);
  return arith::BitcastOp::create(b, b.getF32Type(),
                                  b.select(isKept, bits, b.add(bits, next)));
}

/// Computes a function of f16 or bf16 in f32 and rounds once, as XLA does.
/// Upstream's math-extend-to-supported-types does not fit: it marks the
/// rounding `contract`, so later passes may drop the rounding between two
/// functions.
static void extendFunction(Operation *op) {
  if (!isa_and_present<math::MathDialect>(op->getDialect()) ||
      op->getNumResults() != 1)
    return;
  Value result = op->getResult(0);
  Type narrow = result.getType();
  if (!narrow.isF16() && !narrow.isBF16())
    return;
  OpBuilder b(op);
  Location loc = op->getLoc();
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get().getType() == narrow)
      operand.set(extendElement(b, loc, operand.get(), b.getF32Type()));
  result.setType(b.getF32Type());
  b.setInsertionPointAfter(op);
  Operation *rounded = arith::TruncFOp::create(b, loc, narrow, result);
  result.replaceAllUsesExcept(rounded->getResult(0), rounded);
}

void pool::lowerUnsignedTypes(ModuleOp module) {
  module.walk([](UnrealizedConversionCastOp cast) { lowerCast(cast); });
  module.walk(extendFunction);
  // Convert f64 through f32: LLVM would call __truncdfbf2 for bf16, which
  // libgcc has only from version 13 on.
  module.walk([](arith::TruncFOp op) {
    Type type = op.getType();
    if (!op.getIn().getType().isF64() || !(type.isF16() || type.isBF16()))
      return;
    ElementBuilder b(OpBuilder(op), op.getLoc());
    op.getInMutable().assign(truncateToOdd(b, op.getIn()));
  });
}
