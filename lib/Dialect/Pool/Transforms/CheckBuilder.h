// Builds the run-time checks of an operation: a cf.assert for each constraint
// that its verifier could not check. Constraints on static extents create no
// code, because the verifier has checked them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_TRANSFORMS_CHECKBUILDER_H
#define POOL_LIB_DIALECT_POOL_TRANSFORMS_CHECKBUILDER_H

#include "pool/Dialect/Pool/IR/BufferSizes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/ElementBuilder.h"

namespace mlir::pool {

/// A function that returns the message of a run-time check. It gets the
/// operation and a description of the violation.
using MessageFn = function_ref<std::string(Operation *, StringRef)>;

class CheckBuilder : public ElementBuilder {
public:
  CheckBuilder(OpBuilder &b, Location loc, Operation *op,
               MessageFn generateErrorMessage)
      : ElementBuilder(b, loc), op(op),
        generateErrorMessage(generateErrorMessage) {}

  /// Returns the extents of a ranked tensor: attributes for static extents,
  /// values for dynamic ones.
  SmallVector<OpFoldResult> getExtents(Value tensor);

  /// Checks `extent >= min`, as signed integers.
  void checkMinimum(OpFoldResult extent, int64_t min, const Twine &message) {
    checkComparison(arith::CmpIPredicate::sge, extent, getIndexAttr(min),
                    message);
  }
  /// Checks `extent <= max`, as signed integers.
  void checkMaximum(OpFoldResult extent, int64_t max, const Twine &message) {
    checkComparison(arith::CmpIPredicate::sle, extent, getIndexAttr(max),
                    message);
  }

  void checkEqual(OpFoldResult lhs, OpFoldResult rhs, const Twine &message) {
    if (lhs != rhs)
      checkComparison(arith::CmpIPredicate::eq, lhs, rhs, message);
  }
  /// Checks that `lhs` and `rhs` are equal in each of the first `numDims`
  /// dimensions.
  void checkEqual(ArrayRef<OpFoldResult> lhs, ArrayRef<OpFoldResult> rhs,
                  unsigned numDims, StringRef text);

  /// Checks that the product of `extents` is at most `limit`. createProductFits
  /// says how extents of 0 and products beyond 64 bits are treated.
  void checkProduct(ArrayRef<OpFoldResult> extents, int64_t limit,
                    const Twine &message);
  /// Checks that the number of bytes of a buffer of `shape` fits int64. `what`
  /// is the name of the buffer in the message.
  void checkByteCount(ArrayRef<OpFoldResult> shape, StringRef what,
                      int64_t elementBytes = kElementBytes);

  /// If indices are i32, checks that they can name every position of the
  /// dimensions `shape[axis:]`.
  void checkIndexBound(ArrayRef<OpFoldResult> shape, int64_t axis,
                       Type indexElementType);
  /// Checks that every element of `indices` is a position of the dimensions
  /// `shape[axis:]`. `what` is the name of the tensor of this shape in the
  /// message.
  void checkIndices(Value indices, ArrayRef<OpFoldResult> shape, int64_t axis,
                    StringRef what);

  /// Checks Window.C7 to Window.C10 for a window over a tensor of `shape`.
  /// Omits the check of an upper bound that is at least `unreachable`: the
  /// caller knows that no extent exceeds it, by default because the tensor is
  /// in memory.
  void checkWindow(ArrayRef<OpFoldResult> shape, const WindowAttrs &window,
                   int64_t unreachable = kAddressable);
  /// Checks that the number of bytes of the padded input fits int64, because a
  /// lowering may allocate a buffer for it. `type` and `shape` are those of the
  /// input without padding.
  void checkCovered(RankedTensorType type, ArrayRef<OpFoldResult> shape,
                    const WindowAttrs &window);

private:
  /// Creates a cf.assert of `condition`, and returns it.
  Operation *check(Value condition, const Twine &message);
  /// Checks that the comparison holds. Creates nothing if both operands are
  /// static, because the verifier has checked them. Marks the check by
  /// `pool.reports_values`. If a pass replaces failed checks by a call of an
  /// error handler, the handler then gets the compared values, too.
  void checkComparison(arith::CmpIPredicate predicate, OpFoldResult lhs,
                       OpFoldResult rhs, const Twine &message);

  Operation *op;
  MessageFn generateErrorMessage;
};

/// Creates the run-time checks of `op` at the insertion point of `b`. The
/// overloads for windows and adaptive pooling are in WindowChecks.cpp, the
/// others in ScatterChecks.cpp.
void generateChecks(OpBuilder &b, Location loc, WindowOpInterface op,
                    MessageFn generateErrorMessage);
void generateChecks(OpBuilder &b, Location loc, AdaptiveOpInterface op,
                    MessageFn generateErrorMessage);
void generateChecks(OpBuilder &b, Location loc, MaxUnpoolOp op,
                    MessageFn generateErrorMessage);
void generateChecks(OpBuilder &b, Location loc, ExtremumGradOpInterface op,
                    MessageFn generateErrorMessage);
void generateChecks(OpBuilder &b, Location loc, AvgPoolGradOp op,
                    MessageFn generateErrorMessage);

} // namespace mlir::pool

#endif // POOL_LIB_DIALECT_POOL_TRANSFORMS_CHECKBUILDER_H
