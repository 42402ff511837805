// Runs work on the threads that compiled code uses, so that a process has one
// set of threads.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_EXECUTIONENGINE_THREADTEAM_H
#define POOL_EXECUTIONENGINE_THREADTEAM_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace mlir::pool {

/// Divides [0, count) into pieces, one for each of at most `threads` OpenMP
/// threads. Calls `body` concurrently with the bounds of each piece that is not
/// empty. Compiled code that `body` calls starts no further threads. Waits for
/// all pieces. If calls fail, returns the error of the first failed piece.
/// Fails without calling `body` if OpenMP's library cannot be loaded.
llvm::Error forEachPiece(
    unsigned threads, uint64_t count,
    llvm::function_ref<llvm::Error(uint64_t begin, uint64_t end)> body);

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_THREADTEAM_H
