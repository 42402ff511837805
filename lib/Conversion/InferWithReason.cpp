// Inference and clean-up for the conversions that raise to pooling operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InferWithReason.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::pool;

FailureOr<RankedTensorType>
pool::inferExtremumPool(RankedTensorType input, const OwnedWindow &window,
                        Reduction reduction, const ExtremumModes &modes,
                        std::string &reason, Type indexElementType) {
  auto report = [&](const Twine &message) {
    reason = message.str();
    return failure();
  };
  return inferExtremumPool(report, input, window.getAttrs(), reduction, modes,
                           indexElementType);
}

FailureOr<RankedTensorType> pool::inferAvgPool(RankedTensorType input,
                                               const OwnedWindow &window,
                                               const AverageModes &modes,
                                               std::string &reason) {
  auto report = [&](const Twine &message) {
    reason = message.str();
    return failure();
  };
  WindowAttrs view = window.getAttrs();
  FailureOr<RankedTensorType> type = inferAvgPool(report, input, view, modes);
  if (failed(type) || failed(verifyCounts(report, input, view, modes)))
    return failure();
  return type;
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
  // Collect `op` too: a pattern may replace only its uses, and leave it in the
  // IR.
  producers.insert(op);
  collectProducers(op);
}

void DeadProducers::notifyOperationErased(Operation *op) {
  producers.remove(op);
}

void DeadProducers::erase(function_ref<bool(Operation *)> isPure) {
  while (!producers.empty()) {
    Operation *op = producers.pop_back_val();
    if (!isOpTriviallyDead(op) && !(isPure && isPure(op) && op->use_empty()))
      continue;
    collectProducers(op);
    // Forget the operations in the regions of `op`, which are erased too.
    op->walk([&](Operation *nested) { producers.remove(nested); });
    op->erase();
  }
}
