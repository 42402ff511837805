// Machine code kept on disk, so that later processes need not compile it again.
//
// A cache is a directory of files. Each file is written under another name and
// then renamed, so any number of processes may read and write at once. A file
// begins with the length and the hash of its contents, so damage is noticed. If
// the cache is too large, the least recently used files are removed.
//
// The process runs the code that it finds. Therefore a directory that another
// user owns, or may write to, is rejected.
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

/// A cache in one directory, whose values are found by keys. Several threads
/// may use one object.
class CodeCache {
public:
  ~CodeCache();
  CodeCache(const CodeCache &) = delete;
  CodeCache &operator=(const CodeCache &) = delete;

  /// Default limit of the size of all files together, in bytes. Each process
  /// may store a sixteenth of the limit before it removes files.
  static constexpr uint64_t kMaxBytes = uint64_t(512) << 20;

  /// Opens the cache in `directory`. If the directory does not exist, creates
  /// it with access for this user alone. Fails if the directory cannot be
  /// opened, if it belongs to another user, or if others may write to it.
  static llvm::Expected<std::unique_ptr<CodeCache>>
  open(std::string directory, uint64_t maxBytes = kMaxBytes);

  /// Returns the directory in the environment variable `POOL_CACHE_DIR`. If
  /// that is not set, returns `pool-mlir` in `$XDG_CACHE_HOME` or `~/.cache`.
  /// Returns an empty string, for no cache, if `POOL_CACHE_DIR` is empty or the
  /// user has no home.
  static std::string getDefaultDirectory();

  /// Returns the cache of this process in the default directory. The first call
  /// opens it. Returns null if there is no default directory or it cannot be
  /// opened.
  static CodeCache *getDefault();

  /// Returns why this process has no cache or could not write to it, or an
  /// empty string if there is no warning. A warning is returned once. Callers
  /// that enable a cache show the text to the user.
  static std::string takeWarning();
  /// Sets the text that takeWarning returns, unless one was set before.
  static void warn(std::string message);

  /// Returns the value of `key`. Returns null if the key has no value, or if
  /// the value's file is damaged, too large or writable by other users.
  std::unique_ptr<llvm::MemoryBuffer> find(StringRef key);

  /// Stores `value` under `key`. Calls `warn` if that fails. Ignores a value
  /// that alone exceeds the limit.
  void store(StringRef key, StringRef value);

  struct Info {
    /// Number of calls of `find` on this object that returned a value (hits) or
    /// null (misses).
    uint64_t hits, misses;
    /// Number of values in the directory, the size of their files in bytes, and
    /// the limit of that size.
    uint64_t numFiles, numBytes, maxBytes;
  };
  Info getInfo() const;

  StringRef getDirectory() const { return directory; }

  /// Removes all values, and files that a process left incomplete.
  llvm::Error clear();

private:
  CodeCache(std::string directory, int handle, uint64_t maxBytes)
      : directory(std::move(directory)), handle(handle), maxBytes(maxBytes) {}

  /// Counts `numBytes` as stored. True if `prune` is due.
  bool isPruningDue(uint64_t numBytes);
  /// Removes the least recently used files until at most `maxBytes` are left.
  void prune();

  std::string directory;
  /// File descriptor of the directory.
  int handle;
  uint64_t maxBytes;
  mutable std::mutex mutex;
  uint64_t hits = 0, misses = 0;
  /// Bytes stored since this process last called `prune`.
  uint64_t numStored = 0;
};

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_CODECACHE_H
