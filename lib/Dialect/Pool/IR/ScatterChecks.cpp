// Run-time checks of the operations that write where an index says: extents
// that must agree, and every index before the first is used.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "pool/Dialect/Pool/IR/RuntimeChecks.h"
#include "pool/Support/SymbolicWindowRules.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace mlir;
using namespace mlir::pool;
using llvm::formatv;
using MessageFn = function_ref<std::string(Operation *, StringRef)>;

namespace {
/// Builds the checks of one operation. What is known when they are built was
/// verified, and gives no code.
class CheckBuilder {
public:
  CheckBuilder(OpBuilder &b, Location loc, Operation *op,
               MessageFn generateErrorMessage)
      : b(b), loc(loc), op(op), generateErrorMessage(generateErrorMessage) {}

  void check(Value condition, const Twine &message) {
    cf::AssertOp::create(b, loc, condition,
                         generateErrorMessage(op, message.str()));
  }

  /// `extent >= min`.
  void checkMinimum(OpFoldResult extent, int64_t min, const Twine &message) {
    if (!getConstantIntValue(extent))
      check(compare(arith::CmpIPredicate::sge, getValue(extent),
                    getConstant(min)),
            message);
  }

  void checkEqual(OpFoldResult lhs, OpFoldResult rhs, const Twine &message) {
    if (lhs == rhs || (getConstantIntValue(lhs) && getConstantIntValue(rhs)))
      return;
    check(compare(arith::CmpIPredicate::eq, getValue(lhs), getValue(rhs)),
          message);
  }

  /// The same extents in each of the first `numDims` dimensions.
  void checkEqual(ArrayRef<OpFoldResult> lhs, ArrayRef<OpFoldResult> rhs,
                  unsigned numDims, StringRef text) {
    for (unsigned d = 0; d < numDims; ++d)
      checkEqual(lhs[d], rhs[d], formatv("dimension {0}: {1}", d, text).str());
  }

  /// The product of `extents`, each at least 0, is at most `limit`.
  void checkProduct(ArrayRef<OpFoldResult> extents, int64_t limit,
                    const Twine &message);

  /// Every element of `indices` lies in [0, bound), bound being the product of
  /// `extents`.
  void checkIndices(Value indices, ArrayRef<OpFoldResult> extents,
                    const Twine &message);

private:
  Value getValue(OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, loc, value);
  }
  Value getConstant(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(b, loc, predicate, lhs, rhs);
  }

  OpBuilder &b;
  Location loc;
  Operation *op;
  MessageFn generateErrorMessage;
};
} // namespace

void CheckBuilder::checkProduct(ArrayRef<OpFoldResult> extents, int64_t limit,
                                const Twine &message) {
  if (llvm::all_of(extents, [](OpFoldResult extent) {
        return getConstantIntValue(extent).has_value();
      }))
    return;
  // By division, since the product itself may wrap around. Once it exceeds the
  // limit the condition is false; what follows does not matter.
  Value one = getConstant(1);
  Value product = one, fits;
  for (OpFoldResult extent : extents) {
    Value factor = getValue(extent);
    Value room =
        arith::DivUIOp::create(b, loc, getConstant(limit),
                               arith::MaxUIOp::create(b, loc, product, one));
    Value holds = compare(arith::CmpIPredicate::ule, factor, room);
    fits = fits ? arith::AndIOp::create(b, loc, fits, holds) : holds;
    product = arith::MulIOp::create(b, loc, product, factor);
  }
  check(fits, message);
}

void CheckBuilder::checkIndices(Value indices, ArrayRef<OpFoldResult> extents,
                                const Twine &message) {
  Value bound = getConstant(1);
  for (OpFoldResult extent : extents)
    bound = b.createOrFold<arith::MulIOp>(loc, bound, getValue(extent));

  SmallVector<Value> lower, upper, step;
  for (OpFoldResult extent : tensor::getMixedSizes(b, loc, indices)) {
    lower.push_back(getConstant(0));
    upper.push_back(getValue(extent));
    step.push_back(getConstant(1));
  }
  Value yes = arith::ConstantIntOp::create(b, loc, 1, /*width=*/1);
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, lower, upper, step, yes,
      [&](OpBuilder &b, Location loc, ValueRange position,
          ValueRange soFar) -> scf::ValueVector {
        Value index = tensor::ExtractOp::create(b, loc, indices, position);
        index = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
        // As unsigned, a negative index is too large.
        Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                             index, bound);
        return {arith::AndIOp::create(b, loc, soFar[0], inside)};
      });
  check(nest.results[0], message);
}

//===----------------------------------------------------------------------===//
// MaxUnpoolOp
//===----------------------------------------------------------------------===//

void MaxUnpoolOp::generateRuntimeVerification(OpBuilder &b, Location loc,
                                              MessageFn generateErrorMessage) {
  if (!getValues().getType().hasRank() || !getIndices().getType().hasRank())
    return;
  CheckBuilder checks(b, loc, *this, generateErrorMessage);
  SmallVector<OpFoldResult> output = getMixedSizes();
  SmallVector<OpFoldResult> values = tensor::getMixedSizes(b, loc, getValues());
  SmallVector<OpFoldResult> indices =
      tensor::getMixedSizes(b, loc, getIndices());
  unsigned rank = output.size(), axis = getNormalizedAxis();

  for (unsigned d = 0; d < rank; ++d) {
    int64_t min = d == 0 ? 0 : 1;
    checks.checkMinimum(output[d], min,
                        formatv("dimension {0}: the extent of the result must "
                                "be at least {1}",
                                d, min)
                            .str());
    checks.checkMinimum(values[d], min,
                        formatv("dimension {0}: the extent of the values must "
                                "be at least {1}",
                                d, min)
                            .str());
  }
  checks.checkEqual(values, indices, rank,
                    "values and indices have different extents");
  checks.checkEqual(values, output, axis,
                    "values and result have different extents before the axis");

  unsigned bits =
      getOutput().getType().getElementType().getIntOrFloatBitWidth();
  checks.checkProduct(output, std::numeric_limits<int64_t>::max() / (bits / 8),
                      "the result has more bytes than a 64-bit integer counts");
  ArrayRef<OpFoldResult> named = ArrayRef(output).drop_front(axis);
  if (getIndices().getType().getElementType().isInteger(32))
    checks.checkProduct(
        named, kMaxI32IndexBound,
        formatv("indices of type i32 cannot name more than {0} positions of "
                "the dimensions from axis {1} on",
                kMaxI32IndexBound, axis)
            .str());
  checks.checkIndices(
      getIndices(), named,
      formatv("an index is negative or not below the number of positions of "
              "the result's dimensions from axis {0} on",
              axis)
          .str());
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

/// The extents that the rule gives for an input of `shape`.
static SmallVector<OpFoldResult> getOutputShape(OpBuilder &b, Location loc,
                                                ArrayRef<OpFoldResult> shape,
                                                const WindowAttrs &window) {
  SmallVector<OpFoldResult> output(shape);
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    OpFoldResult &extent = output[window.getSpatialDim(i)];
    extent = resolveDim(b, loc, extent, window.getDim(i), window.modes).output;
  }
  return output;
}

static constexpr StringLiteral kNotTheRule =
    "the gradient of the output has not the extent that the rule gives";

void MaxPoolGradOp::generateRuntimeVerification(
    OpBuilder &b, Location loc, MessageFn generateErrorMessage) {
  auto type = dyn_cast<RankedTensorType>(getInput().getType());
  if (!type || !getOutputGrad().getType().hasRank() ||
      (getIndices() && !getIndices().getType().hasRank()))
    return;
  CheckBuilder checks(b, loc, *this, generateErrorMessage);
  SmallVector<OpFoldResult> input = tensor::getMixedSizes(b, loc, getInput());
  SmallVector<OpFoldResult> outputGrad =
      tensor::getMixedSizes(b, loc, getOutputGrad());
  generateWindowChecks(
      b, loc, *this, type, [&](unsigned d) { return cast<Value>(input[d]); },
      getWindow(), generateErrorMessage);
  checks.checkEqual(outputGrad, getOutputShape(b, loc, input, getWindow()),
                    outputGrad.size(), kNotTheRule);
  if (!getIndices())
    return;

  unsigned axis = getNormalizedAxis();
  checks.checkEqual(
      tensor::getMixedSizes(b, loc, getIndices()), outputGrad,
      outputGrad.size(),
      "indices and gradient of the output have different extents");
  ArrayRef<OpFoldResult> named = ArrayRef(input).drop_front(axis);
  if (getIndices().getType().getElementType().isInteger(32))
    checks.checkProduct(
        named, kMaxI32IndexBound,
        formatv("indices of type i32 cannot name more than {0} positions of "
                "the dimensions from axis {1} on",
                kMaxI32IndexBound, axis)
            .str());
  checks.checkIndices(
      getIndices(), named,
      formatv("an index is negative or not below the number of positions of "
              "the input's dimensions from axis {0} on",
              axis)
          .str());
}

void AvgPoolGradOp::generateRuntimeVerification(
    OpBuilder &b, Location loc, MessageFn generateErrorMessage) {
  if (!getOutputGrad().getType().hasRank())
    return;
  CheckBuilder checks(b, loc, *this, generateErrorMessage);
  RankedTensorType type = getInputGrad().getType();
  SmallVector<OpFoldResult> input = getMixedSizes();
  SmallVector<OpFoldResult> outputGrad =
      tensor::getMixedSizes(b, loc, getOutputGrad());
  checks.checkMinimum(
      input[0], 0, "dimension 0: the extent of the result must be at least 0");
  generateWindowChecks(
      b, loc, *this, type, [&](unsigned d) { return cast<Value>(input[d]); },
      getWindow(), generateErrorMessage);
  unsigned bits = type.getElementType().getIntOrFloatBitWidth();
  checks.checkProduct(input, std::numeric_limits<int64_t>::max() / (bits / 8),
                      "the result has more bytes than a 64-bit integer counts");
  checks.checkEqual(outputGrad, getOutputShape(b, loc, input, getWindow()),
                    outputGrad.size(), kNotTheRule);
}
