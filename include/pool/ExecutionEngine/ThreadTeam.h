// Runs work on the threads that compiled code uses too, so that a process does
// not need a second set of threads.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_EXECUTIONENGINE_THREADTEAM_H
#define POOL_EXECUTIONENGINE_THREADTEAM_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace mlir::pool {

/// Divides [0, count) into pieces, one for each of at most `threads` OpenMP
/// threads. Calls `body(begin, end)` for each piece that is not empty, all at
/// the same time, and waits for them. Compiled code that `body` calls runs on
/// the thread of its piece only. If calls fail, returns the error of the first
/// failed piece and drops the others. Fails without calling `body` if OpenMP's
/// library cannot be loaded.
llvm::Error forEachPiece(
    unsigned threads, uint64_t count,
    llvm::function_ref<llvm::Error(uint64_t begin, uint64_t end)> body);

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_THREADTEAM_H
