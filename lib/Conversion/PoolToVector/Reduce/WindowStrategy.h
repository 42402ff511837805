// The interface of a strategy for pool.window_reduce.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_WINDOWSTRATEGY_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_WINDOWSTRATEGY_H

#include "Reduce/WindowKernel.h"
#include "Schedule/Choice.h"

namespace mlir::pool {

using WindowStrategy = Strategy<Problem, WindowKernel>;

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_WINDOWSTRATEGY_H
