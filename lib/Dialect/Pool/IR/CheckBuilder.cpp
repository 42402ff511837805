// Builds check conditions that cannot wrap around, and messages with numbers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckBuilder.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "pool/Dialect/Pool/Utils/Quantization.h"
#include "pool/Support/SymbolicWindowRules.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace mlir;
using namespace mlir::pool;
using llvm::formatv;

/// True if the extent stands in the type, so that the verifier has checked it.
/// A constant operand does not count as known: nothing has checked it.
static bool isKnown(OpFoldResult extent) { return isa<Attribute>(extent); }

SmallVector<OpFoldResult> CheckBuilder::getExtents(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<OpFoldResult> extents = getAsIndexOpFoldResult(
      b.getContext(), SmallVector<int64_t>(type.getShape()));
  if (type.hasStaticShape())
    return extents;
  // Create a tensor.dim without folding it. Folding would look through a
  // tensor.cast. An illegal extent would then become a constant, which
  // isKnown() takes for an extent that the verifier has checked.
  tensor = getStoredTensor(b, loc, tensor);
  for (int64_t d = 0; d < type.getRank(); ++d)
    if (type.isDynamicDim(d))
      extents[d] = tensor::DimOp::create(b, loc, tensor, d).getResult();
  return extents;
}

Value CheckBuilder::getValue(OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(b, loc, value);
}

Value CheckBuilder::getConstant(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

void CheckBuilder::check(Value condition, const Twine &message) {
  cf::AssertOp::create(b, loc, condition,
                       generateErrorMessage(op, message.str()));
}

void CheckBuilder::checkComparison(arith::CmpIPredicate predicate,
                                   OpFoldResult lhs, OpFoldResult rhs,
                                   const Twine &message) {
  auto assertion = cf::AssertOp::create(
      b, loc, compare(predicate, getValue(lhs), getValue(rhs)),
      generateErrorMessage(op, message.str()));
  assertion->setDiscardableAttr(
      PoolDialect::ReportsValuesAttrHelper::getNameStr(), b.getUnitAttr());
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

void CheckBuilder::checkMinimum(OpFoldResult extent, int64_t min,
                                const Twine &message) {
  if (!isKnown(extent))
    checkComparison(arith::CmpIPredicate::sge, extent, b.getIndexAttr(min),
                    message);
}

void CheckBuilder::checkMaximum(OpFoldResult extent, int64_t max,
                                const Twine &message) {
  if (!isKnown(extent))
    checkComparison(arith::CmpIPredicate::sle, extent, b.getIndexAttr(max),
                    message);
}

void CheckBuilder::checkEqual(OpFoldResult lhs, OpFoldResult rhs,
                              const Twine &message) {
  if (lhs == rhs || (isKnown(lhs) && isKnown(rhs)))
    return;
  checkComparison(arith::CmpIPredicate::eq, lhs, rhs, message);
}

void CheckBuilder::checkEqual(ArrayRef<OpFoldResult> lhs,
                              ArrayRef<OpFoldResult> rhs, unsigned numDims,
                              StringRef text) {
  for (unsigned d = 0; d < numDims; ++d)
    checkEqual(lhs[d], rhs[d], formatv("dimension {0}: {1}", d, text).str());
}

void CheckBuilder::checkProduct(ArrayRef<OpFoldResult> extents, int64_t limit,
                                const Twine &message) {
  if (Value fits = createProductFits(b, loc, extents, limit))
    check(fits, message);
}

void CheckBuilder::checkByteCount(ArrayRef<OpFoldResult> shape, StringRef what,
                                  int64_t elementBytes) {
  checkProduct(
      shape, std::numeric_limits<int64_t>::max() / elementBytes,
      formatv("{0} has more bytes than a 64-bit integer counts", what).str());
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
                kMaxI32IndexBound, axis)
            .str());
}

void CheckBuilder::checkIndices(Value indices, ArrayRef<OpFoldResult> shape,
                                int64_t axis, StringRef what) {
  Value bound = getConstant(1);
  for (OpFoldResult extent : shape.drop_front(axis))
    bound = b.createOrFold<arith::MulIOp>(loc, bound, getValue(extent));

  SmallVector<Value> lower, upper, step;
  Value mayBeEmpty;
  SmallVector<OpFoldResult> extents = tensor::getMixedSizes(b, loc, indices);
  for (OpFoldResult extent : extents) {
    lower.push_back(getConstant(0));
    upper.push_back(getValue(extent));
    step.push_back(getConstant(1));
    if (getConstantIntValue(extent).value_or(0) != 0)
      continue;
    Value isEmpty = compare(arith::CmpIPredicate::eq, upper.back(), lower[0]);
    mayBeEmpty = mayBeEmpty ? arith::OrIOp::create(b, loc, mayBeEmpty, isEmpty)
                            : isEmpty;
  }
  // Search the largest index as an unsigned number, so that a negative index
  // counts as too large.
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, lower, upper, step, getConstant(0),
      [&](OpBuilder &b, Location loc, ValueRange position,
          ValueRange soFar) -> scf::ValueVector {
        Value index = tensor::ExtractOp::create(b, loc, indices, position);
        index = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
        return {arith::MaxUIOp::create(b, loc, soFar[0], index)};
      });
  // Mark the nest, so that convert-pool-to-vector can vectorise the search.
  // Canonicalisation removes outer loops of one iteration, so mark each loop up
  // to the first that may have more iterations.
  for (auto [loop, extent] : llvm::zip_equal(nest.loops, extents)) {
    loop->setDiscardableAttr(PoolDialect::LargestIndexAttrHelper::getNameStr(),
                             b.getUnitAttr());
    if (!isConstantIntValue(extent, 1))
      break;
  }
  Value inside = compare(arith::CmpIPredicate::ult, nest.results[0], bound);
  if (mayBeEmpty)
    inside = arith::OrIOp::create(b, loc, inside, mayBeEmpty);
  check(inside,
        formatv("an index is negative or not below the number of positions of "
                "the {0}'s dimensions from axis {1} on",
                what, axis)
            .str());
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Returns the message for an extent below `min`, with the numbers of the
/// window if they determine `min`.
static std::string describeMinimum(unsigned d, int64_t min,
                                   const WindowDim &dim,
                                   const WindowModes &modes) {
  if (modes.isSame() || min == 1)
    return formatv("dimension {0}: the input extent must be at least {1}", d,
                   min)
        .str();
  auto [padBegin, padEnd] = getGivenPads(dim, modes);
  return formatv("dimension {0}: the input extent must be at least {1}: the "
                 "window covers {2} = ({3} - 1) * {4} + 1 elements, the pads "
                 "are {5} and {6}",
                 d, min, *getWindowExtent(dim), dim.kernel, dim.dilation,
                 padBegin, padEnd)
      .str();
}

void CheckBuilder::checkWindow(ArrayRef<OpFoldResult> shape,
                               const WindowAttrs &window, int64_t unreachable) {
  unsigned channelDim = window.getChannelDim();
  checkMinimum(shape[channelDim], 1,
               formatv("dimension {0}: the channel extent must be at least 1",
                       channelDim)
                   .str());
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
                           d, range.max)
                       .str());
  }
}

void CheckBuilder::checkCovered(RankedTensorType type,
                                ArrayRef<OpFoldResult> shape,
                                const WindowAttrs &window) {
  if (!mayLackByteCount(type, window))
    return;
  SmallVector<OpFoldResult> covered(shape);
  SmallVector<SymbolicDim> dims = resolveDims(b, loc, covered, window);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    OpFoldResult &extent = covered[window.getSpatialDim(i)];
    if (dim.known)
      extent = b.getIndexAttr(getCoveredExtent(*dim.known));
    else
      // By the window rules, extent + padBegin fits int64, and so does
      // coveredEnd. Therefore the total fits an unsigned integer of 64 bits.
      for (OpFoldResult part : {dim.padBegin, dim.coveredEnd})
        extent = b.createOrFold<arith::AddIOp>(loc, getValue(extent),
                                               getValue(part));
  }
  checkByteCount(covered, "the input with its padding");
}
