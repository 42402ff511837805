// Reduces neighbouring windows of one dimension that share positions: what all
// of them contain is reduced once. The lanes are anything else: channels.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_SHAREDREDUCTION_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_SHAREDREDUCTION_H

#include "Channels/ChannelTile.h"

namespace mlir::pool {

/// The windows [first, first + numWindows), numWindows at most what
/// getNumSharing gives for some number. `get` gives the lanes of a position,
/// as the beginning of an accumulator or to be combined with one.
SmallVector<Accumulator>
reduceSharing(OpBuilder &b, Location loc, const LaneReduction &reduction,
              const KernelDim &dim, int64_t first, int64_t numWindows,
              function_ref<Accumulator(int64_t position, bool begins)> get);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_CHANNELS_SHAREDREDUCTION_H
