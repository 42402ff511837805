// Machine code kept on disk, so that later processes need not compile it again.
// A cache is a directory with one file for each value. A file is written under
// a temporary name and then renamed, so any number of processes may read and
// write at the same time. A file begins with the length and a hash of its
// contents, so that damage is detected. If the cache exceeds its limit, the
// least recently used files are removed.
//
// The process executes code from these files. Therefore `open` rejects a
// directory that another user owns or may write to.
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

/// A cache in one directory, which maps keys to values. Several threads may use
/// one object at the same time.
class CodeCache {
public:
  ~CodeCache();
  CodeCache(const CodeCache &) = delete;
  CodeCache &operator=(const CodeCache &) = delete;

  /// Default limit of the size of all files together, in bytes. A cache may
  /// exceed its limit for a while. Files are removed only after this process
  /// has stored a sixteenth of the limit, or at a store when the last removal
  /// was more than an hour ago.
  static constexpr uint64_t kMaxBytes = uint64_t(512) << 20;

  /// Opens the cache in `directory`. Creates the directory if it does not
  /// exist; then only this user may access it. Fails if the directory cannot be
  /// created or opened, if it belongs to another user, or if other users may
  /// write to it.
  static llvm::Expected<std::unique_ptr<CodeCache>>
  open(std::string directory, uint64_t maxBytes = kMaxBytes);

  /// Returns the value of the environment variable `POOL_CACHE_DIR`. If that is
  /// not set, returns `pool-mlir` in `$XDG_CACHE_HOME` or in `~/.cache`.
  /// Returns an empty string if `POOL_CACHE_DIR` is set but empty, or if the
  /// user has no home directory. An empty string means that there is no cache.
  static std::string getDefaultDirectory();

  /// Returns the cache in the default directory, which the whole process
  /// shares. The first call opens the cache. Returns null if there is no
  /// default directory or it cannot be opened; see `takeWarning`.
  static CodeCache *getDefault();

  /// Returns the warning of `warn`, and clears it. A warning says why this
  /// process has no cache or could not write to it. Returns an empty string if
  /// there is no warning. Callers that enable a cache show the text to the
  /// user.
  static std::string takeWarning();
  /// Sets the text that `takeWarning` returns. Only the first call in a process
  /// has an effect.
  static void warn(std::string message);

  /// Returns the value of `key`. Returns null if there is no such value, or if
  /// its file cannot be read, is damaged or too large, or belongs to or is
  /// writable by another user.
  std::unique_ptr<llvm::MemoryBuffer> find(StringRef key);

  /// Stores `value` under `key`. Calls `warn` if that fails. Does nothing if
  /// `value` is larger than the limit of the cache.
  void store(StringRef key, StringRef value);

  struct Info {
    /// Number of calls of `find` on this object that returned a value (`hits`),
    /// and of calls that returned null (`misses`).
    uint64_t hits, misses;
    /// Number of values in the directory, size of their files in bytes, and the
    /// limit of that size.
    uint64_t numFiles, numBytes, maxBytes;
  };
  Info getInfo() const;

  StringRef getDirectory() const { return directory; }

  /// Removes all values and all incomplete files. A process that writes one of
  /// these files at this moment does not store its value. Fails if the
  /// directory cannot be read or a file cannot be removed.
  llvm::Error clear();

private:
  CodeCache(std::string directory, int handle, uint64_t maxBytes)
      : directory(std::move(directory)), handle(handle), maxBytes(maxBytes) {}

  /// Adds `numBytes` to the number of stored bytes. True if the caller must
  /// call `prune`.
  bool isPruningDue(uint64_t numBytes);
  /// Removes the least recently used files until the files have at most
  /// `maxBytes` together. Also removes incomplete files that are more than an
  /// hour old. Ignores errors.
  void prune();

  std::string directory;
  /// File descriptor of the directory.
  int handle;
  uint64_t maxBytes;
  mutable std::mutex mutex;
  uint64_t hits = 0, misses = 0;
  /// Number of bytes stored since this object last called `prune`.
  uint64_t numStored = 0;
};

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_CODECACHE_H
