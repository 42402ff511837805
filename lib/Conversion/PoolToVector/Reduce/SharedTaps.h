// Reduces a few neighboring windows of one dimension by straight-line code. It
// is van Herk's idea without a buffer (BlockReduction.h). The taps that all
// windows of a group share are reduced once. The taps after these are added one
// by one, up to the last tap of each window. The taps before them are reduced
// backwards, down to the first tap of each window.
//
//   taps      0  1  2  3  4  5  6
//   window 0  a  b  c  d  e          shared: cde
//   window 1     b  c  d  e  f       forwards: cdef, cdefg
//   window 2        c  d  e  f  g    backwards: b, ab
//
// Window 0 is `ab` joined with `cde`, and window 1 is `b` joined with `cdef`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_SHAREDTAPS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_SHAREDTAPS_H

#include "Problem/Problem.h"

namespace mlir::pool {

/// The windows of `numWindows` neighboring outputs. They are divided into
/// groups. The windows of a group share taps and are reduced together. They are
/// KernelDim::getSharingDistance() outputs apart.
struct SharedTaps {
  KernelDim dim;
  int64_t numWindows;
  /// True if the order in which taps are combined must be the same for all
  /// windows. Then each window is a group of its own.
  bool isUniform;

  /// Returns the number of windows in a full group. It is chosen so that there
  /// are the fewest combinations per window.
  int64_t getNumSharing() const {
    int64_t best = 1;
    for (int64_t n = 2;
         !isUniform && n * dim.getSharingDistance() <= numWindows &&
         (n - 1) * dim.getSharingStride() < dim.kernel;
         ++n)
      if (getGroupSize(n) * best < getGroupSize(best) * n)
        best = n;
    return best;
  }
  /// Returns the number of combinations per window, in a full group.
  double getCost() const {
    int64_t numSharing = getNumSharing();
    return double(getGroupSize(numSharing)) / numSharing;
  }
  /// Returns the number of combinations for all windows, in groups of
  /// getNumSharing() or fewer.
  int64_t getSize() const {
    int64_t size = 0;
    forEachGroup([&](int64_t, int64_t count) { size += getGroupSize(count); });
    return size;
  }

  /// Reduces the windows. `get` must return the elements at `position`, which
  /// counts from tap 0 of window 0. If `begins`, they must be accumulators,
  /// else they are only added to an accumulator. `join` must combine two
  /// results of neighboring taps; `first` has the earlier taps. Either argument
  /// may be T(), which stands for no taps. `use` gets the number and the result
  /// of each window.
  template <typename T>
  void reduce(function_ref<T(int64_t position, bool begins)> get,
              function_ref<T(const T &first, const T &later)> join,
              function_ref<void(int64_t window, const T &)> use) const {
    int64_t stride = dim.getSharingStride();
    forEachGroup([&](int64_t first, int64_t count) {
      auto getTap = [&](int64_t tap, bool begins) {
        return get(first * dim.stride + tap * dim.dilation, begins);
      };
      SmallVector<T> results(count);
      int64_t shared = (count - 1) * stride, tap = shared;
      T acc;
      for (int64_t i = 0; i < count; ++i) {
        for (; tap < dim.kernel + i * stride; ++tap)
          acc = join(acc, getTap(tap, /*begins=*/tap == shared));
        results[i] = acc;
      }
      acc = T();
      for (tap = shared; tap-- > 0;) {
        acc = join(getTap(tap, /*begins=*/true), acc);
        if (tap % stride == 0)
          results[tap / stride] = join(acc, results[tap / stride]);
      }
      for (auto [i, result] : llvm::enumerate(results))
        use(first + i * dim.getSharingDistance(), result);
    });
  }

private:
  /// Returns the number of combinations for `count` windows that are reduced
  /// together.
  int64_t getGroupSize(int64_t count) const {
    if (count == 1)
      return dim.kernel - 1;
    // First, the combinations of the shared taps and the taps after them. Then
    // those of the taps before. Then one for each window except the last, to
    // join both results.
    return (dim.kernel - 1) + ((count - 1) * dim.getSharingStride() - 1) +
           (count - 1);
  }
  /// Calls `body` for each group, with the number of its first window and with
  /// how many windows it has.
  void forEachGroup(function_ref<void(int64_t, int64_t)> body) const {
    int64_t distance = dim.getSharingDistance(), numSharing = getNumSharing();
    for (int64_t first = 0; first < numWindows; ++first)
      if (first / distance % numSharing == 0)
        body(first,
             std::min<int64_t>(numSharing,
                               llvm::divideCeil(numWindows - first, distance)));
  }
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_SHAREDTAPS_H
