// Windows of one dimension that share positions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Channels/ChannelTile.h"

using namespace mlir;
using namespace mlir::pool;

/// Positions before the last window's first.
static int64_t getNumBefore(const KernelDim &dim, int64_t numWindows) {
  return (numWindows - 1) * dim.stride;
}

/// Combinations of one group.
static int64_t getGroupSize(const KernelDim &dim, int64_t numWindows) {
  if (numWindows == 1)
    return dim.kernel - 1;
  // Operations for the shared part and the part after it, for the part before
  // it, and for joining the two.
  int64_t before = getNumBefore(dim, numWindows);
  return (dim.kernel - 1) + (before - 1) + (numWindows - 1);
}

int64_t ChannelTile::getNumSharing(const KernelDim &dim,
                                   int64_t numWindows) const {
  int64_t best = 1;
  if (dim.dilation != 1 || isUniform)
    return best;
  for (int64_t n = 2; n <= numWindows && getNumBefore(dim, n) < dim.kernel; ++n)
    if (getGroupSize(dim, n) * best < getGroupSize(dim, best) * n)
      best = n;
  return best;
}

int64_t ChannelTile::getSharedSize(const KernelDim &dim,
                                   int64_t numWindows) const {
  int64_t n = getNumSharing(dim, numWindows);
  int64_t rest = numWindows % n;
  return numWindows / n * getGroupSize(dim, n) +
         (rest ? getGroupSize(dim, rest) : 0);
}

SmallVector<Accumulator> pool::combineAll(KernelBuilder &at,
                                          const LaneReduction &reduction,
                                          ArrayRef<Accumulator> lhs,
                                          ArrayRef<Accumulator> rhs) {
  SmallVector<Accumulator> results;
  for (auto [l, r] : llvm::zip_equal(lhs, rhs))
    results.push_back(reduction.combine(at, l, r));
  return results;
}

SmallVector<SmallVector<Accumulator>> pool::reduceSharing(
    KernelBuilder &at, const LaneReduction &reduction, const KernelDim &dim,
    int64_t first, int64_t numWindows,
    function_ref<SmallVector<Accumulator>(int64_t position, bool begins)> get) {
  int64_t start = first * dim.stride, before = getNumBefore(dim, numWindows);
  auto combine = [&](ArrayRef<Accumulator> lhs, ArrayRef<Accumulator> rhs) {
    return combineAll(at, reduction, lhs, rhs);
  };
  // From the first position that all windows have to the end of each.
  SmallVector<SmallVector<Accumulator>> results;
  SmallVector<Accumulator> acc;
  for (int64_t t = 0; t < dim.kernel; ++t) {
    int64_t position = t * dim.dilation;
    if (position < before)
      continue;
    SmallVector<Accumulator> lanes =
        get(start + position, /*begins=*/acc.empty());
    acc = acc.empty() ? lanes : combine(acc, lanes);
  }
  results.push_back(acc);
  for (int64_t i = 1; i < numWindows; ++i) {
    int64_t end = i * dim.stride + dim.kernel;
    for (int64_t position = end - dim.stride; position < end; ++position)
      acc = combine(acc, get(start + position, /*begins=*/false));
    results.push_back(acc);
  }
  // Backwards from there to the beginning of each.
  acc = {};
  for (int64_t i = numWindows - 2; i >= 0; --i) {
    for (int64_t position = (i + 1) * dim.stride;
         position-- > i * dim.stride;) {
      SmallVector<Accumulator> lanes = get(start + position, /*begins=*/true);
      acc = acc.empty() ? lanes : combine(lanes, acc);
    }
    results[i] = combine(acc, results[i]);
  }
  return results;
}
