// The strategies for pool.window_reduce.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_WINDOWSTRATEGY_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_WINDOWSTRATEGY_H

#include "Reduce/WindowKernel.h"
#include "Schedule/Choice.h"

namespace mlir::pool {

using WindowStrategy = Strategy<Problem, WindowKernel>;

/// Windows that are whole planes of channels-first buffers.
extern const WindowStrategy kGlobal;
/// Planes of channels-first buffers: straight code, blocks of van Herk's, and
/// columns by way of a buffer.
extern const WindowStrategy kPlanes, kVanHerk, kBufferedPlanes;
/// Channels-last buffers: lanes are channels, of several columns or of one.
extern const WindowStrategy kFewChannels, kChannels;
/// Large windows, one dimension after the other.
extern const WindowStrategy kStaged;
/// Channels-first buffers: the lanes of windows, merged after their rows.
extern const WindowStrategy kMerged;
/// Any windows, by loops over taps.
extern const WindowStrategy kDirect;

/// Returns them all; of equal costs the first is taken.
ArrayRef<WindowStrategy> getWindowStrategies();

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_WINDOWSTRATEGY_H
