// What the lowerings to linalg share: the padded input, the loop nest over
// windows, and element types without a sign.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOLINALG_WINDOWLOWERING_H
#define POOL_LIB_CONVERSION_POOLTOLINALG_WINDOWLOWERING_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Support/SymbolicWindowRules.h"

namespace mlir::pool {

/// The body of a linalg op: block arguments in, values to yield out.
using BodyFn =
    function_ref<SmallVector<Value>(OpBuilder &, Location, ValueRange)>;

/// One window operation on its way to linalg. Ops are built at the rewriter's
/// insertion point and at the operation's location.
class WindowLowering {
public:
  /// `op` has a ranked input.
  WindowLowering(RewriterBase &b, WindowOpInterface op);

  /// A tensor of the output shape.
  Value createEmpty(Type elementType);
  /// The same, holding `value` everywhere; its type may have a sign, unlike the
  /// attribute's.
  Value createFilled(TypedAttr value, Type elementType);

  /// The input with everything that windows cover, `padding` outside. The
  /// input itself if windows cover nothing else.
  Value getPaddedInput(TypedAttr padding);

  /// Reduces the windows of `padded` into `inits`. Block arguments: the
  /// element, then one accumulator for each of `inits`. Loops: the dimensions
  /// of the output in order, then the window's (getTapDim).
  SmallVector<Value> reduce(Value padded, ValueRange inits, BodyFn body);

  /// The same as a named op if upstream has one for this rank and layout that
  /// takes the largest element or the sum.
  enum class NamedReduction { Max, Sum };
  std::optional<Value> reduceNamed(NamedReduction kind, Value padded,
                                   Value init);

  /// An elementwise op over the output shape. Block arguments: one element of
  /// each of `inputs`.
  Value map(ValueRange inputs, Type elementType, BodyFn body);

  /// Replaces the operation, casting to its declared result types.
  void replaceWith(ValueRange results);

  unsigned getTapDim(unsigned i) const { return window.getRank() + i; }
  Type getElementType() const { return inputType.getElementType(); }

  WindowAttrs window;
  RankedTensorType inputType;
  /// Extents of the input and of the output.
  SmallVector<OpFoldResult> inputShape;
  SmallVector<OpFoldResult> outputShape;
  /// One for each spatial dimension.
  SmallVector<SymbolicDim> dims;

private:
  RewriterBase &b;
  WindowOpInterface op;
  Location loc;
};

/// `type` without its sign, as arith needs it.
Type getSignless(Type type);
/// Casts between an element type and its signless form; no op where they agree.
Value castToSignless(OpBuilder &b, Location loc, Value value);
Value castFromSignless(OpBuilder &b, Location loc, Value value, Type type);

/// The type that sums of floats are made in: f32 for f16 and bf16.
Type getFloatAccumulator(Type type);
/// A float of the element type as the accumulator's, and back.
Value extendFloat(OpBuilder &b, Location loc, Value value, Type accType);
Value truncateFloat(OpBuilder &b, Location loc, Value value, Type type);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOLINALG_WINDOWLOWERING_H
