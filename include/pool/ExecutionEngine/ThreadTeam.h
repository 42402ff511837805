// Calls shared out among the threads that compiled code uses, so that a process
// has one set of them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_EXECUTIONENGINE_THREADTEAM_H
#define POOL_EXECUTIONENGINE_THREADTEAM_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace mlir::pool {

/// Cuts [0, count) into one piece for each of at most `threads` threads of
/// OpenMP and calls `body` with the bounds of each, at the same time. Compiled
/// code that is called there has no threads of its own. Returns the error of
/// the first piece that has one, when all have ended; fails without a call if
/// OpenMP's library cannot be loaded.
llvm::Error forEachPiece(
    unsigned threads, uint64_t count,
    llvm::function_ref<llvm::Error(uint64_t begin, uint64_t end)> body);

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_THREADTEAM_H
