// Calls OpenMP's run-time library directly, because this code is compiled
// without OpenMP.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/ThreadTeam.h"

#include "OpenMP.h"

#include <vector>

using namespace mlir;
using namespace mlir::pool;

namespace {
struct Team {
  llvm::function_ref<llvm::Error(uint64_t, uint64_t)> body;
  uint64_t count;
  /// The error of each thread. Success if the thread did not fail, or if OpenMP
  /// did not start it.
  std::vector<llvm::Error> errors;
};
} // namespace

static void runPiece(void *argument, unsigned thread, unsigned numThreads) {
  auto &team = *static_cast<Team *>(argument);
  // The first `rest` pieces have `size + 1` items, the others `size`.
  uint64_t size = team.count / numThreads, rest = team.count % numThreads;
  uint64_t begin = thread * size + std::min<uint64_t>(thread, rest);
  uint64_t end = begin + size + (thread < rest);
  if (begin == end)
    return;
  // Consume the old success value first: in LLVM builds with assertions,
  // overwriting an unchecked llvm::Error aborts.
  llvm::Error &error = team.errors[thread];
  llvm::cantFail(std::move(error));
  error = team.body(begin, end);
}

llvm::Error mlir::pool::forEachPiece(
    unsigned threads, uint64_t count,
    llvm::function_ref<llvm::Error(uint64_t, uint64_t)> body) {
  llvm::Expected<const OpenMP *> library = OpenMP::get();
  if (!library)
    return library.takeError();
  Team team{body, count, {}};
  for (unsigned i = 0; i < threads; ++i)
    team.errors.push_back(llvm::Error::success());
  {
    OpenMP::ThreadCount scope(**library, threads);
    (*library)->fork(runPiece, &team);
  }
  llvm::Error first = llvm::Error::success();
  for (llvm::Error &error : team.errors) {
    if (first)
      llvm::consumeError(std::move(error));
    else
      first = std::move(error);
  }
  return first;
}
