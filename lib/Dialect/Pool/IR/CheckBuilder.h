// Builds the run-time checks of an operation: cf.assert ops for what its
// verifier could not know. What is known when they are built was verified, and
// gives no code.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_IR_CHECKBUILDER_H
#define POOL_LIB_DIALECT_POOL_IR_CHECKBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "pool/Dialect/Pool/IR/BufferSizes.h"
#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

using detail::MessageFn;

class CheckBuilder {
public:
  CheckBuilder(OpBuilder &b, Location loc, Operation *op,
               MessageFn generateErrorMessage)
      : b(b), loc(loc), op(op), generateErrorMessage(generateErrorMessage) {}

  /// The extents of a ranked tensor: attributes where its type has them.
  SmallVector<OpFoldResult> getExtents(Value tensor);

  void check(Value condition, const Twine &message);

  /// `extent >= min` and `extent <= max`, as signed integers.
  void checkMinimum(OpFoldResult extent, int64_t min, const Twine &message);
  void checkMaximum(OpFoldResult extent, int64_t max, const Twine &message);

  void checkEqual(OpFoldResult lhs, OpFoldResult rhs, const Twine &message);
  /// The same extents in each of the first `numDims` dimensions.
  void checkEqual(ArrayRef<OpFoldResult> lhs, ArrayRef<OpFoldResult> rhs,
                  unsigned numDims, StringRef text);

  /// The product of `extents`, which are taken as unsigned, is at most `limit`.
  /// It may wrap around for all that.
  void checkProduct(ArrayRef<OpFoldResult> extents, int64_t limit,
                    const Twine &message);
  /// A buffer of this shape has a number of bytes that fits int64; `what` names
  /// it.
  void checkByteCount(ArrayRef<OpFoldResult> shape, StringRef what,
                      int64_t elementBytes = kElementBytes);

  /// Indices of type i32 can name every position of `dims[axis:]`.
  void checkIndexBound(ArrayRef<OpFoldResult> shape, int64_t axis,
                       Type indexElementType);
  /// Every element of `indices` names a position of `dims[axis:]` of `what`.
  void checkIndices(Value indices, ArrayRef<OpFoldResult> shape, int64_t axis,
                    StringRef what);

  /// C7 to C10 for a window over a tensor of `shape`. Extents from
  /// `unreachable` on are not looked for.
  void checkWindow(ArrayRef<OpFoldResult> shape, const WindowAttrs &window,
                   int64_t unreachable = kAddressable);
  /// What a lowering may allocate for a window over a tensor that exists, of
  /// this type and shape: with its padding, the bytes fit int64.
  void checkCovered(RankedTensorType type, ArrayRef<OpFoldResult> shape,
                    const WindowAttrs &window);

private:
  Value getValue(OpFoldResult value);
  Value getConstant(int64_t value);
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
  }

  OpBuilder &b;
  Location loc;
  Operation *op;
  MessageFn generateErrorMessage;
};

} // namespace mlir::pool

#endif // POOL_LIB_DIALECT_POOL_IR_CHECKBUILDER_H
