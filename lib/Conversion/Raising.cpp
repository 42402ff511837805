// Builds pooling operations for the conversions that raise to them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raising.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "pool/Dialect/Pool/IR/TypeInference.h"
#include "pool/Dialect/Pool/Utils/WindowProperties.h"

using namespace mlir;
using namespace mlir::pool;

OwnedWindow OwnedWindow::get(ArrayRef<int64_t> kernel, Layout layout) {
  OwnedWindow window;
  window.kernel = llvm::to_vector(kernel);
  window.strides.assign(kernel.size(), 1);
  window.dilations.assign(kernel.size(), 1);
  window.padsBegin.assign(kernel.size(), 0);
  window.padsEnd.assign(kernel.size(), 0);
  window.layout = layout;
  return window;
}

WindowAttrs OwnedWindow::getAttrs() const {
  WindowAttrs attrs;
  attrs.kernel = kernel;
  attrs.strides = strides;
  attrs.dilations = dilations;
  attrs.padsBegin = padsBegin;
  attrs.padsEnd = padsEnd;
  attrs.modes.rounding = rounding;
  attrs.layout = layout;
  return attrs;
}

bool OwnedWindow::hasPadding() const {
  return !isAll(padsBegin, 0) || !isAll(padsEnd, 0);
}

bool pool::isPoolElementType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth());
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

FailureOr<RankedTensorType> pool::inferMaxPool(RankedTensorType input,
                                               const OwnedWindow &window,
                                               PadValue padValue,
                                               std::string &reason) {
  return inferMaxPool(
      [&](const Twine &message) {
        reason = message.str();
        return failure();
      },
      input, window.getAttrs(), /*axis=*/0, padValue,
      /*indexElementType=*/Type());
}

FailureOr<RankedTensorType> pool::inferAvgPool(RankedTensorType input,
                                               const OwnedWindow &window,
                                               const AverageAttrs &attrs,
                                               std::string &reason) {
  auto report = [&](const Twine &message) {
    reason = message.str();
    return failure();
  };
  WindowAttrs view = window.getAttrs();
  FailureOr<RankedTensorType> type =
      inferAvgPool(report, input, view, attrs.divisorOverride, attrs.inputZp,
                   attrs.outputZp);
  if (failed(type) || failed(verifyCounts(report, input, view, attrs.divisor,
                                          attrs.divisorOverride)))
    return failure();
  return type;
}

Value pool::createMaxPool(OpBuilder &b, Location loc, Value input,
                          const OwnedWindow &window, PadValue padValue,
                          NanMode nanMode) {
  MaxPoolOp::Properties properties;
  setWindow(properties, window.getAttrs());
  properties.pad_value = padValue;
  properties.nan_mode = nanMode;
  return MaxPoolOp::create(b, loc, input, properties).getValues();
}

Value pool::createAvgPool(OpBuilder &b, Location loc, Value input,
                          const OwnedWindow &window,
                          const AverageAttrs &attrs) {
  AvgPoolOp::Properties properties;
  setWindow(properties, window.getAttrs());
  properties.divisor = attrs.divisor;
  if (attrs.divisorOverride)
    properties.divisor_override = b.getI64IntegerAttr(*attrs.divisorOverride);
  properties.integer_rounding = attrs.integerRounding;
  properties.input_zp = attrs.inputZp;
  properties.output_zp = attrs.outputZp;
  return AvgPoolOp::create(b, loc, ValueRange(input), properties).getOutput();
}

void DeadProducers::collectProducers(Operation *op) {
  op->walk([&](Operation *nested) {
    for (Value operand : nested->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer && !op->isAncestor(producer))
        producers.insert(producer);
    }
  });
}

void DeadProducers::notifyOperationReplaced(Operation *op, ValueRange) {
  ++numReplaced;
  collectProducers(op);
}

void DeadProducers::notifyOperationErased(Operation *op) {
  producers.remove(op);
}

void DeadProducers::erase() {
  while (!producers.empty()) {
    Operation *op = producers.pop_back_val();
    if (!isOpTriviallyDead(op))
      continue;
    collectProducers(op);
    // What is nested in it dies with it.
    op->walk([&](Operation *nested) { producers.remove(nested); });
    op->erase();
  }
}
