// Machine code kept on disk, so that later processes need not compile it again.
//
// A cache is a directory of files, each of which is written under another name
// and renamed, and begins with the length and the hash of what follows: damage
// is noticed, and any number of processes may read and write at once. What was
// used least recently goes when there is too much.
//
// Code from a directory is run, so that a directory which another user owns or
// may write to is refused.
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

/// Any thread may call it.
class CodeCache {
public:
  ~CodeCache();
  CodeCache(const CodeCache &) = delete;
  CodeCache &operator=(const CodeCache &) = delete;

  /// Bytes of all files that a cache keeps at most, but for a sixteenth that
  /// each process may add until it looks.
  static constexpr uint64_t kMaxBytes = uint64_t(512) << 20;

  /// Opens the cache in `directory`, which is made, for its user alone, if it
  /// is not there. Fails if it cannot be made or is not this user's alone.
  static llvm::Expected<std::unique_ptr<CodeCache>>
  open(std::string directory, uint64_t maxBytes = kMaxBytes);

  /// The directory that `POOL_CACHE_DIR` names; without that variable
  /// `pool-mlir` in `$XDG_CACHE_HOME` or `~/.cache`. Empty, for no cache, if
  /// the variable is, or if the user has no home.
  static std::string getDefaultDirectory();

  /// The cache of this process in the default directory, opened by the first
  /// call. Null if there is to be none, or none can be opened.
  static CodeCache *getDefault();

  /// The first reason why this process goes without a cache or could not write
  /// to one, when this is called for the first time after it was found; else
  /// empty. Who enables a cache shows it to the user.
  static std::string takeWarning();
  /// Makes `message` that reason, unless there was one.
  static void warn(std::string message);

  /// What was stored under `key`; null if nothing was, or it is damaged.
  std::unique_ptr<llvm::MemoryBuffer> find(StringRef key);

  /// Stores `value` under `key`. A value that cannot be written is not kept.
  void store(StringRef key, StringRef value);

  struct Info {
    /// Values that this process found and did not find.
    uint64_t hits, misses;
    /// Values in the directory, and their bytes.
    uint64_t numFiles, numBytes, maxBytes;
  };
  Info getInfo() const;

  StringRef getDirectory() const { return directory; }

  /// Removes all values.
  llvm::Error clear();

private:
  CodeCache(std::string directory, int handle, uint64_t maxBytes)
      : directory(std::move(directory)), handle(handle), maxBytes(maxBytes) {}

  /// True from time to time, after `numBytes` more were stored.
  bool isPruningDue(uint64_t numBytes);
  /// Removes what was used least recently, down to `maxBytes`.
  void prune();

  std::string directory;
  /// The open directory.
  int handle;
  uint64_t maxBytes;
  mutable std::mutex mutex;
  uint64_t hits = 0, misses = 0;
  /// Bytes stored since this process looked whether there is too much.
  uint64_t numStored = 0;
};

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_CODECACHE_H
