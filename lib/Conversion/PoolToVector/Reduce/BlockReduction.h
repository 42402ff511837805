// Sliding-window reduction by the blocks of van Herk (1992), and of Gil and
// Werman (1993). The windows of a block share positions, so that the cost of a
// window does not grow with its length.
//
// A vector has the elements of one position of the reduced dimension, side by
// side: the lanes are another dimension. A block of four windows of four
// positions at stride 1 reads seven such rows, here of eight lanes:
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
// Window w is suffix w combined with the prefix of its last row. The last
// window here has a prefix only. At stride s, a window takes 2 * s + 1
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

/// A buffer of accumulators. If these have an index, it is in a second buffer
/// of the same shape.
struct AccumulatorBuffer {
  Value values, indices;
  /// If not empty, `values` is the input, and these are the coordinates of a
  /// row in it. Then load() converts its elements to accumulators, and store()
  /// must not be called.
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
  /// Loads accumulators from `place` on along the last dimension. Lanes outside
  /// of `range` get accumulators of no elements, or padding if `inputRow` is
  /// set.
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

/// A strip of a row: `numVectors` vectors side by side, from the row's element
/// `element` on. `existing` are the lanes that exist, counted from the
/// beginning of the strip.
struct VectorStrip {
  Value element;
  int64_t numVectors = 1;
  LaneRange existing;
};

/// Emits a loop over strips of `numVectors` vectors of `length` lanes that
/// cover `count` elements. The last strip is moved back to end at `count`, so
/// it may overlap the strip before. If `count` is less than a strip, takes
/// strips of one vector; if it is less than a vector, takes a part of one
/// vector. If `count` is unknown, emits code for all three cases.
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

/// Emits the reduction of a block of windows. Its windows are
/// KernelDim::getSharingDistance() apart, so that they have taps in common.
struct BlockReduction {
  /// Returns the `numVectors` accumulators at `position`, which counts
  /// dilations from the first tap of the block's first window.
  using LoadFn = function_ref<SmallVector<Accumulator>(Value position)>;
  /// Takes the `numVectors` results of window `window` of the block.
  using StoreFn =
      function_ref<void(Value window, ArrayRef<Accumulator> results)>;

  KernelBuilder &b;
  const LaneReduction &reduction;
  KernelDim dim;
  int64_t numVectors;
  /// Number of windows in the largest block.
  int64_t mostWindows;

  /// Returns the usual number of windows in a block: those that contain
  /// position getFirstPrefix(), at least one. If the stride does not divide the
  /// kernel, `mostWindows` may be one more. Then emit() begins prefixes later.
  static int64_t getMostWindows(const KernelDim &dim) {
    return std::max<int64_t>(dim.kernel / dim.getSharingStride(), 1);
  }
  /// Returns the position at which prefixes begin; see the top of this file.
  /// The first window has KernelDim::getSharingStride() positions from there
  /// on, or all of its positions if it has fewer.
  static int64_t getFirstPrefix(const KernelDim &dim) {
    return std::max<int64_t>(dim.kernel - dim.getSharingStride(), 0);
  }

  /// Emits a block of `numWindows` windows, at least one and at most
  /// `mostWindows`. `suffixes` is a buffer with a row for each window, except
  /// the last if that has a prefix only, and with a column for each lane of all
  /// vectors.
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
    // The first window may have fewer positions in its prefix than each later
    // window adds. Emit such a window before the loop.
    if (dim.kernel - firstPrefix < std::min(stride, dim.kernel))
      emitWindow(b.index(first++), dim.kernel - firstPrefix);
    b.forEach(first, numWindows, 1, prefix, [&](Value window) {
      emitWindow(window, std::min(stride, dim.kernel));
    });
  }
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_BLOCKREDUCTION_H
