// Reduces the windows of one dimension across the direction of the lanes. The
// windows of a block share positions, so that the cost of a window does not
// grow with its length (van Herk, 1992; Gil and Werman, 1993).
//
// Lanes hold neighbouring elements of one position, eight here. A block of four
// windows of four positions at stride 1 reads seven rows of them:
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
// Window w is suffix w combined with the prefix of its last row. Each window
// takes three combinations, whatever its length.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_BLOCKREDUCTION_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_BLOCKREDUCTION_H

#include "Problem/Problem.h"

namespace mlir::pool {

/// A buffer of accumulators. Indices, if accumulators have them, lie in a
/// second buffer of the same shape.
struct AccumulatorBuffer {
  Value values, indices;
  /// The coordinates of a row whose elements are loaded as the input stores
  /// them. Empty for accumulators.
  SmallVector<Value> inputRow;

  static AccumulatorBuffer allocate(KernelBuilder &at,
                                    const LaneReduction &reduction,
                                    ArrayRef<Value> extents);
  /// Loads empty accumulators in lanes outside `range`.
  Accumulator load(KernelBuilder &at, const LaneReduction &reduction,
                   ValueRange place, const LaneRange &range = {}) const;
  void store(KernelBuilder &at, Accumulator lanes, ValueRange place,
             const LaneRange &range = {}) const;
  /// Returns the buffer with all dimensions as one.
  AccumulatorBuffer flatten(KernelBuilder &at) const;
};

/// Consecutive elements: `numVectors` side by side from `element` on, and the
/// lanes that exist.
struct VectorStrip {
  Value element;
  int64_t numVectors = 1;
  LaneRange existing;
};

/// A loop that calls `body` with strips of `count` elements, of `numVectors` of
/// `length` lanes. The last strip is moved to the end. If the number is
/// unknown, there is code for wide strips, for one vector, and for a part of
/// one.
void forEachStrip(KernelBuilder &at, Value count, int64_t length,
                  int64_t numVectors,
                  function_ref<void(const VectorStrip &)> body);

/// Reduces blocks of windows that are KernelDim::getSharingDistance() apart.
struct BlockReduction {
  /// Returns the vectors side by side at a position, counted in dilations from
  /// the first position of the block's first window.
  using LoadFn = function_ref<SmallVector<Accumulator>(Value position)>;
  /// Takes the results of a window of the block.
  using StoreFn =
      function_ref<void(Value window, ArrayRef<Accumulator> results)>;

  KernelBuilder &at;
  const LaneReduction &reduction;
  KernelDim dim;
  int64_t numVectors;
  /// Windows of the largest block.
  int64_t mostWindows;

  /// The windows that contain the first prefix row, if the first window has as
  /// many prefix rows as each later one adds. A block may have one more if the
  /// stride does not divide the kernel.
  static int64_t getMostWindows(const KernelDim &dim) {
    return std::max<int64_t>(dim.kernel / dim.getSharingStride(), 1);
  }
  /// The first position of prefixes: the first window's last positions, as many
  /// as KernelDim::getSharingStride().
  static int64_t getFirstPrefix(const KernelDim &dim) {
    return std::max<int64_t>(dim.kernel - dim.getSharingStride(), 0);
  }

  /// Reduces `numWindows`, at least one. `suffixes` has a row for each window
  /// and columns for all vectors.
  void emit(Value numWindows, const AccumulatorBuffer &suffixes, LoadFn load,
            StoreFn store) const;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_BLOCKREDUCTION_H
