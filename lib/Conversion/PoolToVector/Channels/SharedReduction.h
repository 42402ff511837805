// Reduces neighbouring windows of one dimension that share positions: what all
// of them contain is reduced once. The lanes are anything else: channels.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_SHAREDREDUCTION_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_SHAREDREDUCTION_H

#include "Channels/ChannelTile.h"

namespace mlir::pool {

/// Combines each of `lhs` with the one of `rhs` at its place.
SmallVector<Accumulator> combineAll(OpBuilder &b, Location loc,
                                    const LaneReduction &reduction,
                                    ArrayRef<Accumulator> lhs,
                                    ArrayRef<Accumulator> rhs);

/// The windows [first, first + numWindows), numWindows at most what
/// getNumSharing gives for some number. `get` gives what a position has, any
/// number of accumulators that are reduced side by side, as the beginning of
/// windows or to be combined with them.
SmallVector<SmallVector<Accumulator>> reduceSharing(
    OpBuilder &b, Location loc, const LaneReduction &reduction,
    const KernelDim &dim, int64_t first, int64_t numWindows,
    function_ref<SmallVector<Accumulator>(int64_t position, bool begins)> get);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_SHAREDREDUCTION_H
