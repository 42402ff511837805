// Reduces a few neighboring windows of one dimension by straight-line code. It
// is van Herk's idea without a buffer (BlockReduction.h): the taps that all
// windows of a group have are reduced once. From there, the reduction goes
// forwards to the last tap of each window. The taps before are reduced
// backwards.
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
/// groups, which are reduced together. The windows of a group are
/// KernelDim::getSharingDistance() apart.
struct SharedTaps {
  KernelDim dim;
  int64_t numWindows;
  /// True if the order of taps must not depend on the group. Then each window
  /// is reduced on its own.
  bool isUniform;

  /// Returns the number of windows per group for which a window takes the
  /// fewest combinations.
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

  /// Reduces the windows. `get` returns the elements at `position`. If
  /// `begins`, they must be accumulators to combine others with, else elements
  /// that are only combined with an accumulator. `join` combines neighbors, of
  /// which `first` has the earlier taps; either may be T(), which has no taps.
  /// `use` gets each window's number and result.
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
    // The shared taps and those after them, those before them, and one to join
    // both in each window except the last.
    return (dim.kernel - 1) + ((count - 1) * dim.getSharingStride() - 1) +
           (count - 1);
  }
  /// Calls `body` for each group, with its first window and the number of its
  /// windows.
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
