// Adaptive pooling of channels-last buffers: lanes are channels, and the bounds
// of a window scalars.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptivePlan.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class AdaptiveChannels {
public:
  explicit AdaptiveChannels(AdaptiveKernel &kernel)
      : kernel(kernel), at(kernel.at) {}

  void create(int64_t numVectors);

private:
  void emit(const VectorStrip &strip);

  AdaptiveKernel &kernel;
  KernelBuilder &at;
  /// Output coordinates of the window, without the channel.
  SmallVector<Value> coordinates;
  SmallVector<Interval> intervals;
};
} // namespace

void AdaptiveChannels::create(int64_t numVectors) {
  SmallVector<Value> upper = {at.value(kernel.inputShape[0])};
  for (const SymbolicAdaptiveDim &dim : kernel.dims)
    upper.push_back(kernel.at.index(dim.output));
  kernel.at.forEachParallel(upper, [&](ValueRange outputs) {
    coordinates = llvm::to_vector(outputs);
    for (auto [i, o] : llvm::enumerate(outputs.drop_front()))
      intervals.push_back(kernel.getInterval(i, o));
    Value channels = at.value(kernel.inputShape.back());
    kernel.forEachStrip(channels, numVectors,
                        [&](const VectorStrip &strip) { emit(strip); });
  });
}

void AdaptiveChannels::emit(const VectorStrip &strip) {
  SmallVector<Accumulator> accs(strip.firsts.size(), kernel.getEmpty());
  kernel.appendWindow(coordinates[0], intervals, strip, /*isStraight=*/false,
                      accs);
  SmallVector<Value> place = coordinates;
  place.emplace_back();
  for (auto [acc, channel, numLanes] :
       llvm::zip_equal(accs, strip.firsts, strip.numLanes)) {
    place.back() = channel;
    kernel.store(kernel.getPlace(place, numLanes), acc);
  }
}

void AdaptiveChannelsPlan::emit(AdaptiveKernel &kernel) const {
  AdaptiveChannels(kernel).create(numVectors);
}
