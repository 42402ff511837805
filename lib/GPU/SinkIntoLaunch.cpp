// Moves the computation of values into the kernels that use them.
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
      // A clone goes before all others, so that its operands follow in the next
      // round. CSE removes an operation that is cloned twice.
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
