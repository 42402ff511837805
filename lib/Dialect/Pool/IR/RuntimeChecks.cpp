// Checks of what the verifier could not know because an extent is dynamic.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/RuntimeChecks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Dialect/Pool/Utils/Quantization.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;
using llvm::formatv;

/// An upper bound of this or more holds for every tensor in an address space.
static constexpr int64_t kAddressable = int64_t(1) << 57;

static Value compare(OpBuilder &b, Location loc, arith::CmpIPredicate predicate,
                     Value value, int64_t bound) {
  Value constant = arith::ConstantIndexOp::create(b, loc, bound);
  return arith::CmpIOp::create(b, loc, predicate, value, constant);
}

/// What is wrong with an extent below `range`, in numbers.
static std::string describeMinimum(unsigned d, int64_t min,
                                   const WindowDim &dim,
                                   const WindowModes &modes) {
  if (modes.isSame() || min == 1)
    return formatv("dimension {0}: the input extent must be at least {1}", d,
                   min)
        .str();
  bool padded = modes.autoPad == AutoPad::Explicit;
  return formatv("dimension {0}: the input extent must be at least {1}: the "
                 "window covers {2} = ({3} - 1) * {4} + 1 elements, the pads "
                 "are {5} and {6}",
                 d, min, *getWindowExtent(dim), dim.kernel, dim.dilation,
                 padded ? dim.padBegin : 0, padded ? dim.padEnd : 0)
      .str();
}

void pool::generateWindowChecks(
    OpBuilder &b, Location loc, Operation *op, RankedTensorType type,
    function_ref<Value(unsigned)> getExtent, const WindowAttrs &window,
    function_ref<std::string(Operation *, StringRef)> generateErrorMessage) {
  auto check = [&](Value condition, StringRef message) {
    cf::AssertOp::create(b, loc, condition, generateErrorMessage(op, message));
  };

  unsigned channelDim = window.getChannelDim();
  if (type.isDynamicDim(channelDim))
    check(compare(b, loc, arith::CmpIPredicate::sge, getExtent(channelDim), 1),
          formatv("dimension {0}: the channel extent must be at least 1",
                  channelDim)
              .str());

  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    if (!type.isDynamicDim(d))
      continue;
    WindowDim dim = window.getDim(i);
    InputRange range = getInputRange(dim, window.modes);
    Value extent = getExtent(d);
    check(compare(b, loc, arith::CmpIPredicate::sge, extent, range.min),
          describeMinimum(d, range.min, dim, window.modes));
    if (range.max < kAddressable)
      check(compare(b, loc, arith::CmpIPredicate::sle, extent, range.max),
            formatv("dimension {0}: an input extent above {1} leaves a 64-bit "
                    "integer",
                    d, range.max)
                .str());
  }
}

void pool::generateWindowChecks(
    OpBuilder &b, Location loc, WindowOpInterface op,
    function_ref<std::string(Operation *, StringRef)> generateErrorMessage) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type)
    return;
  Value input = getStoredTensor(b, loc, op.getInput());
  generateWindowChecks(
      b, loc, op, type,
      [&](unsigned d) -> Value {
        return tensor::DimOp::create(b, loc, input, d);
      },
      op.getWindow(), generateErrorMessage);
}

void pool::generateIndexChecks(
    OpBuilder &b, Location loc, Operation *op, Value input,
    Type indexElementType, int64_t axis,
    function_ref<std::string(Operation *, StringRef)> generateErrorMessage) {
  auto type = dyn_cast<RankedTensorType>(input.getType());
  if (!type || !indexElementType.isInteger(32))
    return;
  if (!ShapedType::isDynamicShape(type.getShape().drop_front(axis)))
    return;
  input = getStoredTensor(b, loc, input);
  Value bound = arith::ConstantIndexOp::create(b, loc, 1);
  for (int64_t d = axis; d < type.getRank(); ++d) {
    Value extent = tensor::DimOp::create(b, loc, input, d);
    bound = arith::MulIOp::create(b, loc, bound, extent);
  }
  Value condition =
      compare(b, loc, arith::CmpIPredicate::sle, bound, kMaxI32IndexBound);
  cf::AssertOp::create(
      b, loc, condition,
      generateErrorMessage(
          op, formatv("indices of type i32 cannot name more than {0} positions "
                      "of the dimensions from axis {1} on",
                      kMaxI32IndexBound, axis)
                  .str()));
}

void pool::insertRuntimeChecks(OpBuilder &b, RuntimeVerifiableOpInterface op) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  op.generateRuntimeVerification(
      b, op.getLoc(), [](Operation *op, StringRef message) {
        std::string text;
        llvm::raw_string_ostream os(text);
        os << op->getName() << " at " << op->getLoc() << ": " << message;
        return text;
      });
}
