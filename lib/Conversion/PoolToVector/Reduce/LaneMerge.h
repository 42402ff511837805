// Reduces each of several vectors to one lane, of one vector for all of them.
//
// Vectors merge in pairs, and the results in pairs again. Four windows of four
// lanes, where `aa` is a combination of two lanes of `aaaa`:
//
//   window 0  a  a  a  a
//   window 1  b  b  b  b      aa bb aa bb
//   window 2  c  c  c  c                     aaaa bbbb cccc dddd
//   window 3  d  d  d  d      cc dd cc dd
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_LANEMERGE_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_LANEMERGE_H

#include "Emit/LaneReduction.h"

namespace mlir::pool {

/// Combines all lanes of `reduce(i)` into lane `i`, for `numWindows` windows,
/// at most one for each lane. If vectors have several windows side by side,
/// each of `windowLanes`, a power of two, lane `i` of each of these many has
/// the result.
Accumulator mergeWindows(KernelBuilder &at, const LaneReduction &reduction,
                         int64_t numWindows,
                         function_ref<Accumulator(int64_t)> reduce,
                         std::optional<int64_t> windowLanes = {});

/// The same by a loop over the windows.
Accumulator mergeWindowsInLoop(KernelBuilder &at,
                               const LaneReduction &reduction, Value numWindows,
                               function_ref<Accumulator(Value)> reduce);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_LANEMERGE_H
