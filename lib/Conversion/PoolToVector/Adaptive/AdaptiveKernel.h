// What the kernels of adaptive pooling are given, and what is the same in all:
// the positions of a window, loads, stores.
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
  /// Of each vector, the first element and how many of its lanes exist.
  SmallVector<Value> firsts, numLanes;
};

struct AdaptiveKernel {
  /// Where to build.
  OpBuilder &b;
  Location loc;
  /// The buffer of the input; consecutive elements of its last dimension are
  /// consecutive in memory.
  Value input;
  /// One for each result, and the buffer of what it gives, which is packed.
  SmallVector<ElementwiseChain> chains;
  SmallVector<Value> buffers;
  LaneReduction reduction;
  Layout layout;
  SmallVector<SymbolicAdaptiveDim> dims;
  SmallVector<OpFoldResult> inputShape;
  /// The dimension from which on positions are flattened.
  int64_t carriedAxis = 0;
  KernelBuilder at{b, loc};

  unsigned getRank() const { return inputShape.size(); }
  int64_t getLength() const { return reduction.getLength(); }

  /// Those of window `o` in spatial dimension `i`.
  Interval getInterval(unsigned i, OpFoldResult o);

  Accumulator getEmpty() { return reduction.getEmpty(b, loc); }
  /// Lanes of the input from `position` on in its last dimension; those
  /// that `mask`, unless null, leaves out add nothing.
  Accumulator load(ValueRange position, Value mask);
  /// `acc` may be without a value, at the beginning.
  Accumulator append(Accumulator acc, Accumulator element);
  /// Accumulators combined, in any order.
  Accumulator combine(Accumulator acc, Accumulator other);
  /// Lanes l and l ^ distance combined; see
  /// LaneReduction::getButterfly().
  Accumulator merge(Accumulator lhs, Accumulator rhs, int64_t distance);

  /// A lane for each of `numWindows`, not more than there are lanes: all lanes
  /// of what `reduce` gives for it combined.
  Accumulator mergeWindows(int64_t numWindows,
                           function_ref<Accumulator(int64_t)> reduce);

  /// Appends to the accumulators, one for each vector of `strip`, what there is
  /// at the positions of a window that begin with `plane`: in loops that hand
  /// them on or, with `isStraight`, one after the other, all intervals being
  /// known. Accumulators of loops have values.
  void appendWindow(ValueRange plane, ArrayRef<Interval> intervals,
                    const VectorStrip &strip, bool isStraight,
                    MutableArrayRef<Accumulator> accs);

  /// Calls `body` for strips that together have `extent` elements: of
  /// `mostVectors`, of one, and of what is left.
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
  /// The place of outputs from `coordinates` on in the last dimension, of which
  /// there are `numLanes` at most.
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
