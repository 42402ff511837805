// LLVM's OpenMP run-time library, which compiled code with threads calls. It is
// loaded when it is first needed, so that programs without threads do not need
// it.
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
  /// Returns the library. If the process has already loaded LLVM's or Intel's
  /// library, uses that one, because two of them in one process conflict.
  /// Otherwise loads the libomp that is shipped with this code, or else the one
  /// that the loader or this build finds. Fails if there is none.
  static llvm::Expected<const OpenMP *> get();

  /// True if the calling thread is in a parallel region. Always false before
  /// `get` has succeeded.
  static bool isInParallel();

  /// Returns the addresses of the `__kmpc_` functions that the object file
  /// `object` calls. Leaves out functions that the library does not define.
  llvm::Expected<llvm::orc::SymbolMap>
  getSymbols(llvm::MemoryBufferRef object,
             llvm::orc::MangleAndInterner interner) const;

  /// A function that `fork` calls on each thread of a parallel region, with the
  /// argument of `fork`, the thread's number and the number of threads.
  using Body = void (*)(void *argument, unsigned thread, unsigned numThreads);
  void fork(Body body, void *argument) const;

  /// While an object of this class exists, the calling thread's parallel
  /// regions have `count` threads. The destructor restores the previous number.
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
