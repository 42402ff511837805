// Adaptive pooling of channels-last buffers: lanes are channels, and the bounds
// of a window scalars.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptivePlan.h"

using namespace mlir;
using namespace mlir::pool;

void AdaptiveChannelsPlan::emit(AdaptiveKernel &kernel) const {
  KernelBuilder &at = kernel.at;
  SmallVector<Value> upper = {kernel.inputShape[0]};
  for (const SymbolicAdaptiveDim &dim : kernel.dims)
    upper.push_back(at.index(dim.output));
  at.forEachParallel(upper, [&](ValueRange outputs) {
    SmallVector<PositionRange> window =
        kernel.getIntervals(outputs.drop_front());
    auto emitStrip = [&](ArrayRef<LaneVector> strip) {
      SmallVector<Accumulator> accs(strip.size(), kernel.getEmpty());
      kernel.appendWindow(outputs[0], window, strip, accs);
      for (auto [acc, channels] : llvm::zip_equal(accs, strip))
        kernel.store(outputs, channels, acc);
    };
    kernel.forEachStrip(kernel.inputShape.back(), numVectors, emitStrip);
  });
}
