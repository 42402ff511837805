// Machine code kept on disk, so that later processes need not compile it again.
//
// A cache is a directory of files. Each file is written under another name and
// then renamed, so any number of processes may read and write at once. A file
// begins with the length and the hash of its contents, so damage is noticed. If
// the cache is too large, the least recently used files are removed.
//
// Programs run the code. Therefore a directory that another user owns, or may
// write to, is rejected.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_EXECUTIONENGINE_CODECACHE_H
#define POOL_EXECUTIONENGINE_CODECACHE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace mlir::pool {

/// Thread-safe.
class CodeCache {
public:
  ~CodeCache();
  CodeCache(const CodeCache &) = delete;
  CodeCache &operator=(const CodeCache &) = delete;

  /// Largest size of all files in bytes. Each process may exceed it by a
  /// sixteenth before it removes files.
  static constexpr uint64_t kMaxBytes = uint64_t(512) << 20;

  /// Opens the cache in `directory`. Makes the directory, for its user alone,
  /// if it does not exist. Fails if that is impossible or others may write
  /// there.
  static llvm::Expected<std::unique_ptr<CodeCache>>
  open(std::string directory, uint64_t maxBytes = kMaxBytes);

  /// The directory in `POOL_CACHE_DIR`. If that is not set, `pool-mlir` in
  /// `$XDG_CACHE_HOME` or `~/.cache`. Empty, for no cache, if the variable is
  /// empty or the user has no home.
  static std::string getDefaultDirectory();

  /// The cache of this process in the default directory, opened by the first
  /// call. Null if the directory is empty or cannot be opened.
  static CodeCache *getDefault();

  /// Returns why this process has no cache or could not write to it, once;
  /// empty afterwards and if all is well. Callers that enable a cache show the
  /// text to the user.
  static std::string takeWarning();
  /// Sets that text, unless one was set before.
  static void warn(std::string message);

  /// Returns the value of `key`, or null if there is none or it is damaged.
  std::unique_ptr<llvm::MemoryBuffer> find(StringRef key);

  /// Stores `value` under `key`. Warns if that fails.
  void store(StringRef key, StringRef value);

  struct Info {
    /// Number of look-ups by this process that found a value, or none.
    uint64_t hits, misses;
    /// Number of values in the directory, and their bytes.
    uint64_t numFiles, numBytes, maxBytes;
  };
  Info getInfo() const;

  StringRef getDirectory() const { return directory; }

  /// Removes all values.
  llvm::Error clear();

private:
  CodeCache(std::string directory, int handle, uint64_t maxBytes)
      : directory(std::move(directory)), handle(handle), maxBytes(maxBytes) {}

  /// Counts `numBytes` as stored. True if `prune` is due.
  bool isPruningDue(uint64_t numBytes);
  /// Removes the least recently used files until at most `maxBytes` are left.
  void prune();

  std::string directory;
  /// The open directory.
  int handle;
  uint64_t maxBytes;
  mutable std::mutex mutex;
  uint64_t hits = 0, misses = 0;
  /// Bytes stored since this process last called `prune`.
  uint64_t numStored = 0;
};

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_CODECACHE_H
