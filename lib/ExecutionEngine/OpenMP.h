// LLVM's OpenMP run-time library, for compiled code with threads.
//
// Loaded when it is first needed, so that other programs work without it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_EXECUTIONENGINE_OPENMP_H
#define POOL_LIB_EXECUTIONENGINE_OPENMP_H

#include "llvm/ExecutionEngine/Orc/Core.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"
#include "llvm/Support/Error.h"

namespace mlir::pool {

class OpenMP {
public:
  /// Returns the library that the process has already, because two in one
  /// process conflict. Otherwise loads the libomp that is shipped with this
  /// code, or else the one that the loader or this build finds.
  static llvm::Expected<const OpenMP *> get();

  /// True if the calling thread is in a parallel region. False before the first
  /// call of `get`.
  static bool isInParallel();

  /// Returns the addresses of the `__kmpc_` functions that an object file
  /// calls.
  llvm::Expected<llvm::orc::SymbolMap>
  getSymbols(llvm::MemoryBufferRef object,
             llvm::orc::MangleAndInterner interner) const;

  /// Calls `body` on each thread of a parallel region with `argument`, the
  /// thread's number and the number of threads.
  using Body = void (*)(void *argument, unsigned thread, unsigned numThreads);
  void fork(Body body, void *argument) const;

  /// Sets the number of threads of the calling thread's parallel regions, for
  /// the life of the object.
  class ThreadCount {
  public:
    ThreadCount(const OpenMP &library, unsigned count);
    ~ThreadCount();
    ThreadCount(const ThreadCount &) = delete;
    ThreadCount &operator=(const ThreadCount &) = delete;

  private:
    const OpenMP &library;
    int before;
  };

private:
  void *handle = nullptr;
  void (*setNumThreads)(int) = nullptr;
  int (*getMaxThreads)() = nullptr;
  int (*inParallel)() = nullptr;
  int (*getThread)() = nullptr;
  int (*getNumThreads)() = nullptr;
  void (*forkCall)(void *location, int32_t numArguments, void *microtask,
                   ...) = nullptr;
};

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_OPENMP_H
