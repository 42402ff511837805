// The pass that lowers pooling operations to TOSA.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Conversion/PoolToTosa/PoolToTosa.h"

#include "TosaPlan.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/IR/Casts.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CONVERTPOOLTOTOSA
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Builds the operations of one plan.
class TosaBuilder {
public:
  TosaBuilder(RewriterBase &rewriter, const TosaPlan &plan)
      : b(plan.op->getLoc(), rewriter), plan(plan), op(plan.op) {}

  /// Creates the operations of TOSA. Returns the value that replaces the result
  /// of the pooling, after a cast if the types differ.
  Value create();

private:
  Value createShape(ArrayRef<int64_t> values);
  Value createConstant(DenseElementsAttr value) {
    return tosa::ConstOp::create(b, value.getType(), value);
  }
  Value createTranspose(Value input, ArrayRef<int32_t> permutation);
  /// Removes the elements at the end of `input` that no window covers.
  Value createSlice(Value input);
  /// Pads `input` with `plan.padding`.
  Value createPad(Value input);
  Value createPooling(Value input);
  Value createMaximum(MaxPoolOp max, RankedTensorType output, Value input,
                      ArrayRef<int64_t> kernel, ArrayRef<int64_t> stride,
                      ArrayRef<int64_t> pad);

  ImplicitLocOpBuilder b;
  const TosaPlan &plan;
  WindowOpInterface op;
};
} // namespace

Value TosaBuilder::createShape(ArrayRef<int64_t> values) {
  int64_t size = values.size();
  return tosa::ConstShapeOp::create(
      b, tosa::shapeType::get(b.getContext(), size),
      DenseIntElementsAttr::get(RankedTensorType::get({size}, b.getIndexType()),
                                values));
}

Value TosaBuilder::createTranspose(Value input, ArrayRef<int32_t> permutation) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> shape;
  for (int32_t d : permutation)
    shape.push_back(type.getDimSize(d));
  return tosa::TransposeOp::create(b, type.clone(shape), input, permutation);
}

Value TosaBuilder::createSlice(Value input) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> shape(type.getShape()), size;
  for (auto [i, dim] : llvm::enumerate(plan.dims))
    shape[1 + i] -= dim.numUnread;
  // -1 keeps an unknown extent as it is.
  for (int64_t extent : shape)
    size.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  return tosa::SliceOp::create(b, type.clone(shape), input,
                               createShape({0, 0, 0, 0}), createShape(size));
}

Value TosaBuilder::createPad(Value input) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> shape(type.getShape()), amounts(8, 0);
  for (auto [i, dim] : llvm::enumerate(plan.dims)) {
    amounts[2 + 2 * i] = dim.padBegin;
    amounts[3 + 2 * i] = dim.padEnd;
    if (!ShapedType::isDynamic(shape[1 + i]))
      shape[1 + i] += dim.padBegin + dim.padEnd;
  }
  Value padding = createConstant(plan.padding);
  return tosa::PadOp::create(b, type.clone(shape), input, createShape(amounts),
                             padding);
}

Value TosaBuilder::createMaximum(MaxPoolOp max, RankedTensorType output,
                                 Value input, ArrayRef<int64_t> kernel,
                                 ArrayRef<int64_t> stride,
                                 ArrayRef<int64_t> pad) {
  // Integers have no NaN; keep the default mode.
  auto type = dyn_cast<FloatType>(output.getElementType());
  bool ignoresNan = type && ignoresNaN(max.getNanMode());
  auto nanMode = ignoresNan ? tosa::NanPropagationMode::IGNORE
                            : tosa::NanPropagationMode::PROPAGATE;
  Value pooled =
      tosa::MaxPool2dOp::create(b, output, input, kernel, stride, pad, nanMode);
  if (!ignoresNan)
    return pooled;
  // With nan_mode ignore, a window of only NaN gives NaN in TOSA, but -inf in
  // the pool dialect. A maximum with -inf turns this NaN into -inf.
  auto scalar = RankedTensorType::get({1, 1, 1, 1}, type);
  APFloat negInf = APFloat::getInf(type.getFloatSemantics(), /*Negative=*/true);
  Value lowest = createConstant(DenseElementsAttr::get(scalar, negInf));
  return tosa::MaximumOp::create(b, output, pooled, lowest, nanMode);
}

Value TosaBuilder::createPooling(Value input) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> shape(type.getShape()), kernel, stride, pad;
  for (auto [i, dim] : llvm::enumerate(plan.dims)) {
    kernel.push_back(dim.kernel);
    stride.push_back(dim.stride);
    int64_t begin = plan.padding ? 0 : dim.padBegin;
    int64_t end = plan.padding ? 0 : dim.padEnd;
    pad.append({begin, end});
    int64_t &extent = shape[1 + i];
    if (!ShapedType::isDynamic(extent))
      extent = (extent + begin + end - dim.kernel) / dim.stride + 1;
  }
  Type element = type.getElementType();
  auto output = cast<RankedTensorType>(type.clone(shape));
  if (auto max = dyn_cast<MaxPoolOp>(op.getOperation()))
    return createMaximum(max, output, input, kernel, stride, pad);
  auto average = cast<AvgPoolOp>(op.getOperation());
  Type accumulator =
      isa<FloatType>(element) ? Type(b.getF32Type()) : b.getI32Type();
  Value inputZp = createConstant(getTosaScalar(element, average.getInputZp()));
  Value outputZp =
      createConstant(getTosaScalar(element, average.getOutputZp()));
  return tosa::AvgPool2dOp::create(b, output, input, inputZp, outputZp, kernel,
                                   stride, pad, accumulator);
}

Value TosaBuilder::create() {
  Value value = op.getInput();
  bool isChannelsFirst = pool::isChannelsFirst(plan.layout);
  if (isChannelsFirst)
    value = createTranspose(value, {0, 2, 3, 1});
  if (plan.hasUnread())
    value = createSlice(value);
  if (plan.padding)
    value = createPad(value);
  value = createPooling(value);
  if (isChannelsFirst)
    value = createTranspose(value, {0, 3, 1, 2});
  return value;
}

static void apply(RewriterBase &rewriter, const TosaPlan &plan) {
  rewriter.setInsertionPoint(plan.op);
  replaceOpWithCasts(rewriter, plan.op, TosaBuilder(rewriter, plan).create());
}

LogicalResult pool::convertToTosa(RewriterBase &rewriter, Operation *op) {
  FailureOr<TosaPlan> plan = planTosa(op);
  if (failed(plan))
    return failure();
  apply(rewriter, *plan);
  return success();
}

namespace {
struct ConvertPoolToTosaPass
    : pool::impl::ConvertPoolToTosaBase<ConvertPoolToTosaPass> {
  void runOnOperation() override {
    // Check all operations first, so that a failure changes nothing.
    SmallVector<TosaPlan> plans;
    bool refused = false;
    getOperation()->walk([&](Operation *op) {
      if (!isa_and_present<PoolDialect>(op->getDialect()))
        return;
      FailureOr<TosaPlan> plan = planTosa(op);
      if (succeeded(plan))
        plans.push_back(std::move(*plan));
      else
        refused = true;
    });
    if (refused)
      return signalPassFailure();
    if (plans.empty())
      return markAllAnalysesPreserved();
    IRRewriter rewriter(&getContext());
    for (const TosaPlan &plan : plans)
      apply(rewriter, plan);
    numLowered += plans.size();
  }
};
} // namespace
