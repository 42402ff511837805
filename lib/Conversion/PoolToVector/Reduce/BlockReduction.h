// Sliding-window reduction by the blocks of van Herk (1992), and of Gil and
// Werman (1993). The windows of a block share positions, so that the cost of a
// window does not grow with its length.
//
// The reduction goes across vectors: a vector has the elements at one position
// of the reduced dimension, and its lanes are positions of another dimension.
// Below, a row of the drawing is one vector of eight lanes. A block of four
// windows of four positions at stride 1 reads seven rows:
//
//   position  lanes      window 0  1  2  3
//   0         abcdefgh          |               suffixes: row r holds the
//   1         abcdefgh          |  |            reduction of rows r to 2,
//   2         abcdefgh          |  |  |         computed from row 2 back to 0
//   3         abcdefgh          |  |  |  |      -----------------------------
//   4         abcdefgh             |  |  |      prefixes: row r holds the
//   5         abcdefgh                |  |      reduction of rows 3 to r,
//   6         abcdefgh                   |      computed from row 3 on
//
// Window w is suffix w combined with the prefix of its last row. Here, the
// suffix of window 3 has no rows. At stride s, a window takes 2 * s + 1
// combinations, whatever its length: s for its suffix, s for its prefix, and
// one to combine both. Suffixes are kept in a buffer.
//
// SlidingWindow.h and RowPasses.h reduce along the lanes, by doubling.
// SharedTaps.h reduces a few windows without a buffer.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_BLOCKREDUCTION_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_BLOCKREDUCTION_H

#include "Problem/Limits.h"
#include "Problem/Problem.h"

namespace mlir::pool {

/// Buffers of accumulators: `values` has Accumulator::value. `indices` has
/// Accumulator::index in the same shape, or is null if there is no index.
struct AccumulatorBuffer {
  Value values, indices;
  /// If not empty, `values` is the input of the pooling, and these are the
  /// coordinates of one of its rows. Then load() converts elements of this row
  /// to accumulators, and store() must not be called.
  SmallVector<Value> inputRow;

  static AccumulatorBuffer allocate(KernelBuilder &b,
                                    const LaneReduction &reduction,
                                    ArrayRef<Value> extents) {
    auto create = [&](VectorType lanes) {
      return b.allocate(extents, lanes.getElementType());
    };
    AccumulatorBuffer buffer{create(reduction.getType()), {}, {}};
    if (reduction.hasIndices())
      buffer.indices = create(reduction.getPositionType());
    return buffer;
  }
  /// Loads a vector of accumulators from the coordinates `place` on, along the
  /// last dimension. Lanes outside of `range` get accumulators of no elements.
  /// If `inputRow` is set, `place` is the column in that row, and lanes outside
  /// of `range` get padding.
  Accumulator load(KernelBuilder &b, const LaneReduction &reduction,
                   ValueRange place, const LaneRange &range = {}) const {
    if (!inputRow.empty()) {
      Value stored = reduction.load(b, values, append(inputRow, place), range);
      return {reduction.begin(b, reduction.prepare(b, stored)), {}};
    }
    Accumulator none = reduction.getEmpty(b);
    auto create = [&](Value buffer, Value others) -> Value {
      return buffer ? loadLanes(b, reduction.getLength(), buffer, place, range,
                                others)
                    : Value();
    };
    return {create(values, none.value), create(indices, none.index)};
  }
  void store(KernelBuilder &b, Accumulator lanes, ValueRange place,
             const LaneRange &range = {}) const {
    storeLanes(b, lanes.value, values, place, range);
    if (indices)
      storeLanes(b, lanes.index, indices, place, range);
  }
  /// Returns the buffer with all dimensions collapsed into one.
  AccumulatorBuffer flatten(KernelBuilder &b) const {
    return {collapseFrom(b, values, 0),
            indices ? collapseFrom(b, indices, 0) : Value(),
            {}};
  }
};

/// A strip of a row: `numVectors` neighboring vectors, from element `element`
/// of the row on. `existing` is the range of lanes that have an element of the
/// row. Lanes count from the beginning of the strip, not of each vector.
struct VectorStrip {
  Value element;
  int64_t numVectors = 1;
  LaneRange existing;
};

/// Emits a loop over strips of `numVectors` vectors of `length` lanes that
/// cover `count` elements. The last strip is moved back to end at `count`, so
/// it may overlap the strip before. If there are fewer elements than a strip
/// has lanes, emits a loop over strips of one vector. If there are fewer
/// elements than a vector has lanes, `existing` limits a single vector. If
/// `count` is unknown, emits code for all three cases, and calls `body` in
/// each.
inline void forEachStrip(KernelBuilder &b, Value count, int64_t length,
                         int64_t numVectors,
                         function_ref<void(const VectorStrip &)> body) {
  int64_t width = length * numVectors;
  b.ifElse(b.isAtLeast(count, width), [&](bool isWide) {
    if (isWide)
      return b.forEach(0, count, width, [&](Value element) {
        body({b.moveBack(element, count, width), numVectors, {}});
      });
    if (numVectors > 1)
      return forEachStrip(b, count, length, 1, body);
    b.ifTrue(b.isAtLeast(count, 1), [&] { body({b.index(0), 1, {0, count}}); });
  });
}

/// Emits the reduction of a block of windows. Neighboring windows of the block
/// are KernelDim::getSharingDistance() outputs apart, so that they have taps in
/// common. Positions count in taps from the first tap of the block's first
/// window: with a dilation, position 1 is `dilation` elements after position 0.
struct BlockReduction {
  /// Must return the `numVectors` accumulators of the elements at `position`.
  using LoadFn = function_ref<SmallVector<Accumulator>(Value position)>;
  /// Must store the `numVectors` results of window `window` of the block.
  using StoreFn =
      function_ref<void(Value window, ArrayRef<Accumulator> results)>;

  KernelBuilder &b;
  const LaneReduction &reduction;
  KernelDim dim;
  int64_t numVectors;
  /// Number of windows in the largest block.
  int64_t mostWindows;

  /// Returns the usual number of windows in a block, at least one. These are
  /// the windows that contain position getFirstPrefix(). If the stride does not
  /// divide the kernel, the member `mostWindows` may be one more. Then the
  /// prefixes of emit() begin at a later position.
  static int64_t getMostWindows(const KernelDim &dim) {
    return std::max<int64_t>(dim.kernel / dim.getSharingStride(), 1);
  }
  /// Returns the position at which prefixes begin; see the top of this file.
  /// From this position on, the first window has KernelDim::getSharingStride()
  /// positions. If the whole window has fewer, returns 0.
  static int64_t getFirstPrefix(const KernelDim &dim) {
    return std::max<int64_t>(dim.kernel - dim.getSharingStride(), 0);
  }

  /// Emits a block of `numWindows` windows, at least one and at most
  /// `mostWindows`. `suffixes` is a buffer with at least `numWindows` rows. A
  /// row has the lanes of `numVectors` vectors.
  void emit(Value numWindows, const AccumulatorBuffer &suffixes, LoadFn load,
            StoreFn store) const {
    int64_t stride = dim.getSharingStride();
    // No window of the block begins after this position.
    int64_t firstPrefix =
        std::max(getFirstPrefix(dim), (mostWindows - 1) * stride);
    Value last = b.sub(numWindows, 1);
    SmallVector<Accumulator> suffix(numVectors, reduction.getEmpty(b));
    SmallVector<Accumulator> prefix = suffix;
    // Combines `accs` with the elements of `count` positions from `begin` on.
    auto append = [&](SmallVector<Accumulator> &accs, Value begin,
                      int64_t count) {
      auto appendOne = [&](Value position) {
        for (auto [acc, later] : llvm::zip_equal(accs, load(position)))
          acc = reduction.choose(b, acc, later);
      };
      if (count > cost::kMaxStraightStride)
        return b.forEach(begin, b.add(begin, count), 1, accs, appendOne);
      for (int64_t i = 0; i < count; ++i)
        appendOne(b.add(begin, i));
    };
    auto getPlace = [&](Value window, int64_t vector) -> SmallVector<Value> {
      return {window, b.index(vector * reduction.getLength())};
    };
    auto storeSuffix = [&](Value window) {
      for (auto [i, acc] : llvm::enumerate(suffix))
        suffixes.store(b, acc, getPlace(window, i));
    };

    if (firstPrefix > 0) {
      b.forEach(b.mul(last, stride), firstPrefix, 1, suffix,
                [&](Value position) { append(suffix, position, 1); });
      storeSuffix(last);
      b.forEach(0, last, 1, suffix, [&](Value i) {
        Value window = b.sub(b.sub(last, 1), i);
        append(suffix, b.mul(window, stride), stride);
        storeSuffix(window);
      });
    }

    auto emitWindow = [&](Value window, int64_t numNew) {
      append(prefix, b.add(b.mul(window, stride), dim.kernel - numNew), numNew);
      SmallVector<Accumulator> results = prefix;
      if (firstPrefix > 0)
        for (auto [i, acc] : llvm::enumerate(results))
          acc = reduction.choose(
              b, suffixes.load(b, reduction, getPlace(window, i)), acc);
      store(window, results);
    };
    int64_t first = 0;
    // Each later window adds min(stride, kernel) positions to the prefix. If
    // the first window has fewer in its prefix, emit it before the loop.
    if (dim.kernel - firstPrefix < std::min(stride, dim.kernel))
      emitWindow(b.index(first++), dim.kernel - firstPrefix);
    b.forEach(first, numWindows, 1, prefix, [&](Value window) {
      emitWindow(window, std::min(stride, dim.kernel));
    });
  }
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_BLOCKREDUCTION_H
