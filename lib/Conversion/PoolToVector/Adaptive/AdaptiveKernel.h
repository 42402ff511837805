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

/// The positions [begin, end) of a window in one dimension.
struct Interval {
  OpFoldResult begin, end;
};

/// Consecutive vectors of the last dimension.
struct VectorStrip {
  /// First element of each vector, and how many of its lanes exist.
  SmallVector<Value> firsts, numLanes;
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
  SmallVector<OpFoldResult> inputShape;
  /// The dimension from which on positions are flattened.
  int64_t carriedAxis = 0;

  unsigned getRank() const { return inputShape.size(); }
  int64_t getLength() const { return reduction.getLength(); }

  /// Returns the positions of window `o` in spatial dimension `i`.
  Interval getInterval(unsigned i, OpFoldResult o);

  Accumulator getEmpty() { return reduction.getEmpty(at); }
  /// Loads lanes of the input from `position` on in its last dimension. Lanes
  /// outside `mask`, unless it is null, add nothing.
  Accumulator load(ValueRange position, Value mask);
  /// `acc` may be without a value, at the beginning.
  Accumulator append(Accumulator acc, Accumulator element);
  /// Accumulators combined, in any order.
  Accumulator combine(Accumulator acc, Accumulator other) {
    return reduction.choose(at, acc, other);
  }

  /// Appends the elements at the positions of a window, which begin with
  /// `plane`, to the accumulators, one for each vector of `strip`. Emits loops
  /// that carry the accumulators, which must have values. With `isStraight`,
  /// emits straight code; all intervals must be known.
  void appendWindow(ValueRange plane, ArrayRef<Interval> intervals,
                    const VectorStrip &strip, bool isStraight,
                    MutableArrayRef<Accumulator> accs);

  /// Calls `body` for strips that together cover `extent` elements: strips of
  /// `mostVectors` vectors, then of one vector, then one strip for the rest.
  void forEachStrip(Value extent, int64_t mostVectors,
                    function_ref<void(const VectorStrip &)> body);

  /// A loop that carries `accs`, or straight code if it is known to have at
  /// most one iteration.
  void forEach(Value begin, Value end, int64_t step,
               MutableArrayRef<Accumulator> accs,
               function_ref<void(Value)> body);

  /// Stores the accumulators of the outputs at `place`.
  void store(const ElementPlace &place, const Accumulator &lanes);
  /// Lanes [0, `numLanes`) of a vector, as a mask; null if that is all.
  Value getMask(Value numLanes);
  /// Returns the place of at most `numLanes` outputs from `coordinates` on in
  /// the last dimension.
  ElementPlace getPlace(ArrayRef<Value> coordinates, Value numLanes);

private:
  VectorType getIndexType();
  void forEachPosition(ArrayRef<Interval> intervals,
                       SmallVectorImpl<Value> &position, bool isStraight,
                       MutableArrayRef<Accumulator> accs,
                       function_ref<void(ValueRange position)> body);
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEKERNEL_H
