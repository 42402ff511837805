// Builds run-time checks. The arithmetic of their conditions cannot wrap
// around. Their messages contain the numbers of the window.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckBuilder.h"
#include "Models.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"
#include "pool/Dialect/Pool/IR/Quantization.h"
#include "pool/Dialect/Pool/Utils/IndexBounds.h"
#include "pool/Dialect/Pool/Utils/SymbolicWindowRules.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace mlir;
using namespace mlir::pool;
using llvm::formatv;

/// True if `extent` comes from a type, so that the verifier has checked it.
/// False for the value of a constant operation, because nothing has checked it.
static bool isKnown(OpFoldResult extent) { return isa<Attribute>(extent); }

SmallVector<OpFoldResult> CheckBuilder::getExtents(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> extents =
      getAsIndexOpFoldResult(getContext(), type.getShape());
  if (type.hasStaticShape())
    return extents;
  // Create a tensor.dim without folding it. Folding would look through a
  // tensor.cast. An illegal extent would then become a constant, which
  // isKnown() takes for an extent that the verifier has checked.
  tensor = getStoredTensor(*this, getLoc(), tensor);
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      extents[d] = tensor::DimOp::create(*this, tensor, d).getResult();
  return extents;
}

Operation *CheckBuilder::check(Value condition, const Twine &message) {
  return cf::AssertOp::create(*this, condition,
                              generateErrorMessage(op, message.str()));
}

void CheckBuilder::checkComparison(arith::CmpIPredicate predicate,
                                   OpFoldResult lhs, OpFoldResult rhs,
                                   const Twine &message) {
  if (isKnown(lhs) && isKnown(rhs))
    return;
  // Do not fold the comparison, because a failed check reports its operands.
  Value left = value(lhs), right = value(rhs);
  Value holds = arith::CmpIOp::create(*this, predicate, left, right);
  check(holds, message)
      ->setDiscardableAttr(PoolDialect::ReportsValuesAttrHelper::getNameStr(),
                           getUnitAttr());
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

void CheckBuilder::checkEqual(ArrayRef<OpFoldResult> lhs,
                              ArrayRef<OpFoldResult> rhs, unsigned numDims,
                              StringRef text) {
  for (unsigned d = 0; d < numDims; ++d)
    checkEqual(lhs[d], rhs[d], formatv("dimension {0}: {1}", d, text));
}

void CheckBuilder::checkProduct(ArrayRef<OpFoldResult> extents, int64_t limit,
                                const Twine &message) {
  if (Value fits = createProductFits(*this, getLoc(), extents, limit))
    check(fits, message);
}

void CheckBuilder::checkByteCount(ArrayRef<OpFoldResult> shape, StringRef what,
                                  int64_t elementBytes) {
  checkProduct(shape, std::numeric_limits<int64_t>::max() / elementBytes,
               what + " has more bytes than a 64-bit integer counts");
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

void CheckBuilder::checkIndexBound(ArrayRef<OpFoldResult> shape, int64_t axis,
                                   Type indexElementType) {
  if (indexElementType.isInteger(32))
    checkProduct(
        shape.drop_front(axis), kMaxI32IndexBound,
        formatv("indices of type i32 cannot name more than {0} positions of "
                "the dimensions from axis {1} on",
                kMaxI32IndexBound, axis));
}

void CheckBuilder::checkIndices(Value indices, ArrayRef<OpFoldResult> shape,
                                int64_t axis, StringRef what) {
  Value bound = product(value(shape.drop_front(axis)));
  Value largest = LargestIndexOp::create(*this, indices);
  // A tensor without elements may have a `bound` of 0, which no index is below.
  // It has no index to check, so the check then succeeds.
  Value isEmpty;
  for (OpFoldResult extent : tensor::getMixedSizes(*this, getLoc(), indices))
    if (getConstantIntValue(extent).value_or(0) == 0)
      isEmpty = bitOr(isEmpty, isEqual(index(extent), index(0)));
  check(bitOr(isBelow(largest, bound), isEmpty),
        formatv("an index is negative or not below the number of positions of "
                "the {0}'s dimensions from axis {1} on",
                what, axis));
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Returns the message for an extent below `min`, with the numbers of the
/// window if they determine `min`.
static std::string describeMinimum(unsigned d, int64_t min,
                                   const WindowDim &dim,
                                   const WindowModes &modes) {
  std::string text =
      formatv("dimension {0}: the input extent must be at least {1}", d, min);
  if (modes.isSame() || min == 1)
    return text;
  auto [padBegin, padEnd] = getGivenPads(dim, modes);
  return formatv("{0}: the window covers {1} = ({2} - 1) * {3} + 1 elements, "
                 "the pads are {4} and {5}",
                 text, *getWindowExtent(dim), dim.kernel, dim.dilation,
                 padBegin, padEnd);
}

void CheckBuilder::checkWindow(ArrayRef<OpFoldResult> shape,
                               const WindowAttrs &window, int64_t unreachable) {
  unsigned channelDim = window.getChannelDim();
  checkMinimum(shape[channelDim], 1,
               formatv("dimension {0}: the channel extent must be at least 1",
                       channelDim));
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    if (isKnown(shape[d]))
      continue;
    WindowDim dim = window.getDim(i);
    InputRange range = getInputRange(dim, window.modes);
    checkMinimum(shape[d], range.min,
                 describeMinimum(d, range.min, dim, window.modes));
    if (range.max < unreachable)
      checkMaximum(shape[d], range.max,
                   formatv("dimension {0}: an input extent above {1} leaves a "
                           "64-bit integer",
                           d, range.max));
  }
}

void CheckBuilder::checkCovered(RankedTensorType type,
                                ArrayRef<OpFoldResult> shape,
                                const WindowAttrs &window) {
  if (!mayLackByteCount(type, window))
    return;
  SmallVector<OpFoldResult> covered(shape);
  SmallVector<SymbolicDim> dims = resolveDims(*this, getLoc(), covered, window);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    OpFoldResult &extent = covered[window.getSpatialDim(i)];
    // By the window rules, `extent + padBegin` fits int64, and so does
    // `coveredEnd`. Therefore their sum fits an unsigned integer of 64 bits.
    if (dim.known)
      extent = getIndexAttr(getCoveredExtent(*dim.known));
    else
      extent = add(add(extent, dim.padBegin), dim.coveredEnd);
  }
  checkByteCount(covered, "the input with its padding");
}

namespace {
template <typename OpT>
struct CheckModel
    : RuntimeVerifiableOpInterface::ExternalModel<CheckModel<OpT>, OpT> {
  void generateRuntimeVerification(Operation *op, OpBuilder &b, Location loc,
                                   MessageFn generateErrorMessage) const {
    generateChecks(b, loc, cast<OpT>(op), generateErrorMessage);
  }
};
} // namespace

void pool::attachChecks(MLIRContext *context) {
  attachToPoolings<CheckModel>(context);
  attachToScatters<CheckModel>(context);
}
