// State and helpers that all kernels of adaptive pooling share: positions of a
// window, loads, stores.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEKERNEL_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEKERNEL_H

#include "Emit/KernelBuilder.h"
#include "Emit/LaneReduction.h"
#include "Sink/ElementwiseChain.h"
#include "pool/Support/AdaptiveRules.h"

namespace mlir::pool {

/// A vector of elements of the last dimension: the first one, and how many of
/// the lanes exist, which may be more than there are.
struct LaneVector {
  Value first, numLanes;
};

struct AdaptiveKernel {
  /// Where to build.
  KernelBuilder &at;
  /// The buffer of the input; consecutive elements of its last dimension are
  /// consecutive in memory.
  Value input;
  /// The elementwise consumers of each result, and their packed output buffers.
  SmallVector<ElementwiseChain> chains;
  SmallVector<Value> buffers;
  LaneReduction reduction;
  Layout layout;
  SmallVector<SymbolicAdaptiveDim> dims;
  SmallVector<Value> inputShape;
  /// The dimension from which on positions are flattened.
  int64_t carriedAxis = 0;

  unsigned getRank() const { return inputShape.size(); }
  int64_t getLength() const { return reduction.getLength(); }

  /// Returns the positions of window `o` in spatial dimension `i`.
  PositionRange getInterval(unsigned i, Value o);
  /// Calls getInterval() for the first spatial dimensions, with one of
  /// `outputs` for each.
  SmallVector<PositionRange> getIntervals(ValueRange outputs);

  Accumulator getEmpty() { return reduction.getEmpty(at); }
  /// Loads lanes of the input from `position` on in its last dimension. Lanes
  /// outside `range` add nothing.
  Accumulator load(ValueRange position, const LaneRange &range);
  /// Accumulators combined, in any order.
  Accumulator combine(Accumulator acc, Accumulator other) {
    return reduction.choose(at, acc, other);
  }
  /// Appends elements of the input to the accumulators, one for each vector of
  /// `strip`. These elements are at all of `intervals`, in the dimensions
  /// between `outer` and the last one. Without intervals, an accumulator may be
  /// without a value, at the beginning.
  void appendWindow(ValueRange outer, ArrayRef<PositionRange> intervals,
                    ArrayRef<LaneVector> strip,
                    MutableArrayRef<Accumulator> accs);

  /// Calls `body` for strips that together cover `extent` elements: strips of
  /// `mostVectors` vectors, then of one vector, then one strip for the rest.
  void forEachStrip(Value extent, int64_t mostVectors,
                    function_ref<void(ArrayRef<LaneVector>)> body);

  /// Stores the accumulators of a vector of outputs. `coordinates` are those
  /// before the last one.
  void store(ValueRange coordinates, LaneVector outputs,
             const Accumulator &lanes);
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEKERNEL_H
