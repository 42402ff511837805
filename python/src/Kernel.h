// Compiled code of pooling functions, and the cache that it is kept in.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_KERNEL_H
#define POOL_PYTHON_KERNEL_H

#include "Request.h"

#include "mlir/IR/DialectRegistry.h"
#include "pool/ExecutionEngine/Program.h"
#include "llvm/ADT/StringMap.h"

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>

namespace mlir::pool::python {

/// Every dialect that a module may have, ours and upstream's.
const DialectRegistry &getRegistry();

/// Code for one request. May be called by several threads at once.
class Kernel {
public:
  /// Errors made by `makeInvalid` are the verifier's.
  static llvm::Expected<std::shared_ptr<Kernel>>
  compile(const Request &request);

  /// Element types and shapes of the results.
  ArrayRef<ArrayType> getResults() const { return results; }

  /// Reads `inputs`, the whole arrays that the operands are parts of, and
  /// writes `outputs`.
  llvm::Error run(ArrayRef<const void *> inputs, ArrayRef<void *> outputs);

private:
  std::unique_ptr<Program> program;
  const Entry *entry = nullptr;
  SmallVector<ArrayType, 2> results;

  std::mutex mutex;
  /// Bound functions that no thread is calling.
  std::vector<Invocation> idle;
};

/// The kernels that were used last.
class KernelCache {
public:
  struct Info {
    uint64_t hits, misses;
    size_t maxSize, size;
  };

  /// The one of this process. It is never destroyed: threads may still run code
  /// of it when the process ends.
  static KernelCache &get();

  /// The kernel with this key if it is there; null if not.
  std::shared_ptr<Kernel> find(StringRef key);

  /// As `find`, but compiles what is not there. Threads that ask for one key
  /// compile it once; a failure is not kept.
  llvm::Expected<std::shared_ptr<Kernel>> findOrCompile(StringRef key,
                                                        const Request &request);

  Info getInfo();
  /// Forgets all kernels and the counts. What runs goes on.
  void clear();
  /// Keeps at most `size` kernels from now on.
  void setMaxSize(size_t size);

private:
  using Entry = std::pair<std::string, std::shared_ptr<Kernel>>;
  /// A compilation that others may wait for.
  struct Pending {
    bool isDone = false;
    std::shared_ptr<Kernel> kernel;
    std::string message;
    std::error_code code;
  };

  std::shared_ptr<Kernel> findLocked(StringRef key);
  /// Removes what is too much; the caller drops it outside of the lock.
  std::list<Entry> shrinkLocked();

  std::mutex mutex;
  std::condition_variable changed;
  /// The one that was used last comes first.
  std::list<Entry> entries;
  llvm::StringMap<std::list<Entry>::iterator> byKey;
  llvm::StringMap<std::shared_ptr<Pending>> pending;
  uint64_t hits = 0, misses = 0;
  size_t maxSize = 256;
};

} // namespace mlir::pool::python

#endif // POOL_PYTHON_KERNEL_H
