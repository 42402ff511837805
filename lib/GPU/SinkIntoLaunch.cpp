// Clones computations into the kernels that use their results.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MapToGPU.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::pool;

void pool::sinkIntoLaunch(gpu::LaunchOp launch,
                          llvm::function_ref<bool(Operation *)> sinks) {
  for (bool changed = true; changed;) {
    changed = false;
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(launch.getBody(), captured);
    for (Value value : captured) {
      auto result = dyn_cast<OpResult>(value);
      if (!result || !sinks(result.getOwner()) || !isPure(result.getOwner()))
        continue;
      // Insert each clone before all others, so that its operands can be cloned
      // before it in the next round. If an operation is cloned twice, CSE
      // removes one clone.
      OpBuilder b = OpBuilder::atBlockBegin(&launch.getBody().front());
      Operation *inside = b.clone(*result.getOwner());
      value.replaceUsesWithIf(inside->getResult(result.getResultNumber()),
                              [&](OpOperand &use) {
                                return launch->isProperAncestor(use.getOwner());
                              });
      changed = true;
    }
  }
}
