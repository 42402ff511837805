// Compiled code of pooling functions, and its cache.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_KERNEL_H
#define POOL_PYTHON_KERNEL_H

#include "Request.h"

#include "pool/ExecutionEngine/Program.h"
#include "llvm/ADT/StringMap.h"

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>

namespace mlir::pool::python {

/// Compiled code of one request. Thread-safe.
class Kernel {
public:
  /// Compiles `request`, or loads its code from the cache on disk. `key` is the
  /// request's key. If the request is invalid, `makeInvalid` makes the error
  /// from MLIR's diagnostics.
  static llvm::Expected<std::shared_ptr<Kernel>>
  compile(StringRef key, const Request &request);

  /// Returns the element types and shapes of the results.
  ArrayRef<ArrayType> getResults() const { return results; }

  /// Runs the code on `inputs` and `outputs`, the addresses of the operands and
  /// results. If an operand is a part of a larger array, its input is the
  /// address of the larger array. Fails if a check at run time fails.
  llvm::Error run(ArrayRef<const void *> inputs, ArrayRef<void *> outputs);

private:
  static llvm::Expected<std::shared_ptr<Kernel>>
  wrap(std::unique_ptr<Program> program);

  std::unique_ptr<Program> program;
  const Entry *entry = nullptr;
  SmallVector<ArrayType, 2> results;

  std::mutex mutex;
  /// Invocations that no thread is running. A later call reuses one with other
  /// addresses.
  std::vector<Invocation> idle;
};

/// Keeps the most recently used kernels in memory. Thread-safe.
class KernelCache {
public:
  struct Info {
    uint64_t hits, misses;
    size_t maxSize, size;
  };

  /// Returns the cache of this process. It is never destroyed, since threads
  /// may still run its code when the process ends.
  static KernelCache &get();

  /// Returns the kernel with this key, or null.
  std::shared_ptr<Kernel> find(StringRef key);

  /// Like `find`, but compiles a missing kernel and adds it. If several threads
  /// ask for the same key, only one compiles it, and the others wait. A failure
  /// is not cached.
  llvm::Expected<std::shared_ptr<Kernel>> findOrCompile(StringRef key,
                                                        const Request &request);

  Info getInfo();
  /// Removes all kernels, and sets the counts of hits and misses to 0. Calls
  /// that are running continue.
  void clear();
  /// Limits the number of kernels to `size`. Removes the least recently used
  /// kernels above it at once.
  void setMaxSize(size_t size);

private:
  using Entry = std::pair<std::string, std::shared_ptr<Kernel>>;
  /// A compilation in progress that other threads may wait for.
  struct Pending {
    bool isDone = false;
    std::shared_ptr<Kernel> kernel;
    std::string message;
    std::error_code code;
  };

  std::shared_ptr<Kernel> findLocked(StringRef key);
  /// Removes the least recently used entries above `maxSize` and returns them.
  /// The caller destroys them after it has released `mutex`.
  std::list<Entry> shrinkLocked();

  std::mutex mutex;
  std::condition_variable changed;
  /// The cached kernels, the most recently used first.
  std::list<Entry> entries;
  llvm::StringMap<std::list<Entry>::iterator> byKey;
  llvm::StringMap<std::shared_ptr<Pending>> pending;
  uint64_t hits = 0, misses = 0;
  size_t maxSize = 256;
};

} // namespace mlir::pool::python

#endif // POOL_PYTHON_KERNEL_H
