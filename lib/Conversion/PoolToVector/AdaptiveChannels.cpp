// Adaptive pooling of channels-last buffers: lanes are channels, and the bounds
// of a window scalars.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AdaptiveKernel.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pool;

/// Vectors of channels that are reduced at once.
static constexpr int64_t kMaxVectors = 4;

namespace {
class AdaptiveChannels {
public:
  explicit AdaptiveChannels(AdaptiveKernel &kernel)
      : kernel(kernel), b(kernel.b), loc(kernel.loc),
        at(kernel.getArithmetic()), length(kernel.getLength()) {}

  void create();

private:
  Value index(int64_t value) { return at.constant(value); }
  /// The channels from `first` on: `numVectors` vectors of them, of which one
  /// has no more than `numChannels`.
  void emit(Value first, int64_t numVectors, Value numChannels);

  AdaptiveKernel &kernel;
  OpBuilder &b;
  Location loc;
  IndexArithmetic at;
  int64_t length;
  /// Of the output, without the channel.
  SmallVector<Value> coordinates;
  SmallVector<Stretch> stretches;
};
} // namespace

void AdaptiveChannels::create() {
  SmallVector<Value> upper = {
      getValueOrCreateConstantIndexOp(b, loc, kernel.inputShape[0])};
  for (const SymbolicAdaptiveDim &dim : kernel.dims)
    upper.push_back(index(dim.output));
  SmallVector<Value> lower(upper.size(), index(0)),
      steps(upper.size(), index(1));
  auto loops = scf::ParallelOp::create(b, loc, lower, upper, steps);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loops.getBody());
  coordinates = llvm::to_vector(ValueRange(loops.getInductionVars()));
  for (auto [i, o] : llvm::enumerate(ArrayRef(coordinates).drop_front()))
    stretches.push_back(kernel.getStretch(i, o));

  // Strips of several vectors, of one, and what is left.
  Value channels =
      getValueOrCreateConstantIndexOp(b, loc, kernel.inputShape.back());
  Value begin = index(0);
  for (int64_t n : {kMaxVectors, int64_t(1)}) {
    Value end = at.mul(at.floorDiv(channels, n * length), n * length);
    kernel.forEach(begin, end, n * length, {},
                   [&, n = n](Value first, MutableArrayRef<Lanes>) {
                     emit(first, n, index(length));
                   });
    begin = end;
  }
  kernel.forEach(begin, channels, length, {},
                 [&](Value first, MutableArrayRef<Lanes>) {
                   emit(first, 1, at.sub(channels, first));
                 });
}

void AdaptiveChannels::emit(Value first, int64_t numVectors,
                            Value numChannels) {
  Value mask = kernel.getMask(numChannels);
  SmallVector<Value> channels;
  for (int64_t v = 0; v < numVectors; ++v)
    channels.push_back(at.add(first, v * length));
  SmallVector<Lanes> accs(numVectors, kernel.getIdentity());
  kernel.forEachPosition(
      stretches, coordinates[0], /*isStraight=*/false, accs,
      [&](ValueRange position, MutableArrayRef<Lanes> accs) {
        SmallVector<Value> indices(position);
        indices.emplace_back();
        for (auto [acc, channel] : llvm::zip_equal(accs, channels)) {
          indices.back() = channel;
          acc = kernel.append(acc, kernel.load(indices, mask));
        }
      });
  SmallVector<Value> place = coordinates;
  place.emplace_back();
  for (auto [acc, channel] : llvm::zip_equal(accs, channels)) {
    place.back() = channel;
    kernel.store(kernel.getPlace(place, numChannels), acc);
  }
}

void pool::createAdaptiveChannels(AdaptiveKernel &kernel) {
  AdaptiveChannels(kernel).create();
}
