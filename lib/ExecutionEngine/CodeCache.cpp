// A cache of machine code in a directory.
//
// Files are opened relative to the directory handle that was checked, because
// the path may lead to another directory later. LLVM's TempFile is not used
// because it installs signal handlers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/CodeCache.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::pool;
namespace fs = llvm::sys::fs;

/// Prefixes of the names of complete files and of incomplete files.
static constexpr StringRef kPrefix = "code-", kUnfinishedPrefix = "unfinished-";

/// Time in seconds. If the last pruning was longer ago, the next store prunes
/// the cache. If an incomplete file is older, its process is assumed to have
/// ended, and pruning removes the file.
static constexpr time_t kPruneInterval = 3600;
/// Name of an empty file. Its modification time is the time of the last
/// pruning.
static constexpr const char *kPruneStamp = "pruned";

namespace {
/// The beginning of each file. The value follows it.
struct Header {
  char magic[8];
  /// Number of bytes that follow the header.
  llvm::support::ulittle64_t size;
  /// SHA-256 of the key followed by the value.
  uint8_t hash[32];
};
} // namespace

static constexpr char kMagic[] = "poolcode";

static std::array<uint8_t, 32> getHash(StringRef key, StringRef value = "") {
  llvm::SHA256 hash;
  hash.update(key);
  hash.update(value);
  return hash.final();
}

static std::string getName(StringRef key) {
  return (kPrefix + llvm::toHex(getHash(key), /*LowerCase=*/true)).str();
}

/// Returns null if only this user may write to the file or directory that
/// `status` describes. Otherwise returns the reason, for a message.
static const char *findOtherWriter(const struct stat &status) {
  if (status.st_uid != ::geteuid())
    return "it belongs to another user";
  if (status.st_mode & (S_IWGRP | S_IWOTH))
    return "other users may write to it";
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Directories
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<CodeCache>>
CodeCache::open(std::string directory, uint64_t maxBytes) {
  auto fail = [&](const llvm::Twine &why) {
    return llvm::createStringError("no cache of machine code in '" + directory +
                                   "': " + why);
  };
  SmallString<128> path(directory);
  if (std::error_code code = fs::make_absolute(path))
    return fail(code.message());
  directory = path.str().str();
  if (std::error_code code = fs::create_directories(
          directory, /*IgnoreExisting=*/true, fs::perms::owner_all))
    return fail(code.message());
  int handle = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0)
    return fail(llvm::sys::StrError());
  llvm::scope_exit close([&] { ::close(handle); });
  struct stat status;
  if (::fstat(handle, &status) != 0)
    return fail(llvm::sys::StrError());
  if (const char *why = findOtherWriter(status))
    return fail(why);
  close.release();
  return std::unique_ptr<CodeCache>(
      new CodeCache(std::move(directory), handle, maxBytes));
}

CodeCache::~CodeCache() { ::close(handle); }

std::string CodeCache::getDefaultDirectory() {
  if (const char *named = std::getenv("POOL_CACHE_DIR"))
    return named;
  SmallString<128> path;
  if (!llvm::sys::path::cache_directory(path))
    return "";
  llvm::sys::path::append(path, "pool-mlir");
  return path.str().str();
}

namespace {
/// The message that `takeWarning` returns. `isSet` stays true after the message
/// was taken, so that there is only one in a process.
struct Warning {
  std::mutex mutex;
  bool isSet = false;
  std::string text;
};
} // namespace

static Warning &getWarning() {
  static auto *warning = new Warning();
  return *warning;
}

CodeCache *CodeCache::getDefault() {
  // Never destroyed, because other threads may still compile when the process
  // ends.
  static CodeCache *const cache = []() -> CodeCache * {
    std::string directory = getDefaultDirectory();
    if (directory.empty())
      return nullptr;
    llvm::Expected<std::unique_ptr<CodeCache>> opened =
        open(std::move(directory));
    if (opened)
      return opened->release();
    warn(llvm::toString(opened.takeError()));
    return nullptr;
  }();
  return cache;
}

void CodeCache::warn(std::string message) {
  Warning &warning = getWarning();
  std::lock_guard<std::mutex> lock(warning.mutex);
  // Keep only the first message of the process.
  if (!std::exchange(warning.isSet, true))
    warning.text = std::move(message);
}

std::string CodeCache::takeWarning() {
  Warning &warning = getWarning();
  std::lock_guard<std::mutex> lock(warning.mutex);
  return std::exchange(warning.text, "");
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Returns the value in an open file. Returns null if the file cannot be read,
/// is damaged or too large, belongs to another key, or if another user may have
/// written it.
static std::unique_ptr<llvm::MemoryBuffer>
readValue(int file, StringRef key, StringRef name, uint64_t maxBytes) {
  struct stat status;
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) ||
      findOtherWriter(status))
    return nullptr;
  auto size = static_cast<uint64_t>(status.st_size);
  if (size < sizeof(Header) || size - sizeof(Header) > maxBytes)
    return nullptr;
  // Read the file instead of mapping it: if another process truncated a mapped
  // file, an access to it would crash.
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> contents =
      llvm::MemoryBuffer::getOpenFile(file, name, size,
                                      /*RequiresNullTerminator=*/false,
                                      /*IsVolatile=*/true);
  if (!contents || (*contents)->getBufferSize() < sizeof(Header))
    return nullptr;
  Header header;
  StringRef bytes = (*contents)->getBuffer();
  std::memcpy(&header, bytes.data(), sizeof(header));
  StringRef value = bytes.drop_front(sizeof(header));
  if (std::memcmp(header.magic, kMagic, sizeof(header.magic)) != 0 ||
      header.size != value.size() ||
      std::memcmp(header.hash, getHash(key, value).data(),
                  sizeof(header.hash)) != 0)
    return nullptr;
  return llvm::MemoryBuffer::getMemBufferCopy(value, name);
}

std::unique_ptr<llvm::MemoryBuffer> CodeCache::find(StringRef key) {
  std::string name = getName(key);
  std::unique_ptr<llvm::MemoryBuffer> value;
  // O_NONBLOCK: if a pipe has this name, do not wait for a writer.
  int file = ::openat(handle, name.c_str(),
                      O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file >= 0) {
    value = readValue(file, key, name, maxBytes);
    // Set the file's time to now, so that `prune` removes it last. An error is
    // harmless, for example on a read-only file system.
    if (value)
      (void)::futimens(file, nullptr);
    ::close(file);
  }
  std::lock_guard<std::mutex> lock(mutex);
  ++(value ? hits : misses);
  return value;
}

/// Writes header and value to `file` and closes it. Returns an empty string, or
/// the reason if it failed.
static std::string writeFile(int file, StringRef key, StringRef value) {
  Header header;
  std::memcpy(header.magic, kMagic, sizeof(header.magic));
  header.size = value.size();
  llvm::copy(getHash(key, value), header.hash);
  llvm::raw_fd_ostream os(file, /*shouldClose=*/true);
  os.write(reinterpret_cast<const char *>(&header), sizeof(header));
  os << value;
  os.close();
  std::string why = os.error() ? os.error().message() : "";
  os.clear_error();
  return why;
}

void CodeCache::store(StringRef key, StringRef value) {
  if (value.size() > maxBytes)
    return;
  std::string unfinished =
      (kUnfinishedPrefix + llvm::Twine(::getpid()) + "-" +
       llvm::Twine(llvm::sys::Process::GetRandomNumber()) + "-" +
       llvm::Twine(reinterpret_cast<uintptr_t>(&value)))
          .str();
  std::string why;
  int file = ::openat(handle, unfinished.c_str(),
                      O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) {
    why = llvm::sys::StrError();
  } else {
    why = writeFile(file, key, value);
    if (why.empty() && ::renameat(handle, unfinished.c_str(), handle,
                                  getName(key).c_str()) != 0)
      why = llvm::sys::StrError();
    if (!why.empty())
      ::unlinkat(handle, unfinished.c_str(), 0);
  }
  if (!why.empty()) {
    warn("machine code cannot be kept in '" + directory + "': " + why);
    return;
  }
  if (isPruningDue(sizeof(Header) + value.size()))
    prune();
}

//===----------------------------------------------------------------------===//
// All files
//===----------------------------------------------------------------------===//

namespace {
struct File {
  std::string name;
  uint64_t size;
  struct timespec used;
};
} // namespace

/// Returns the regular files of `directory` whose names begin with `prefix`.
static llvm::Expected<std::vector<File>> listFiles(int directory,
                                                   StringRef prefix) {
  std::vector<File> files;
  int copy = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = copy < 0 ? nullptr : ::fdopendir(copy);
  if (!stream) {
    int number = errno;
    if (copy >= 0)
      ::close(copy);
    return llvm::createStringError(llvm::sys::StrError(number));
  }
  while (const struct dirent *entry = ::readdir(stream)) {
    struct stat status;
    // fstatat fails if another process has removed the file.
    if (StringRef(entry->d_name).starts_with(prefix) &&
        ::fstatat(directory, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) ==
            0 &&
        S_ISREG(status.st_mode))
      files.push_back({entry->d_name, static_cast<uint64_t>(status.st_size),
                       status.st_mtim});
  }
  ::closedir(stream);
  return files;
}

static uint64_t getNumBytes(ArrayRef<File> files) {
  uint64_t numBytes = 0;
  for (const File &file : files)
    numBytes += file.size;
  return numBytes;
}

bool CodeCache::isPruningDue(uint64_t numBytes) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    numStored += numBytes;
    // Do not prune at every store: it takes time in proportion to the number of
    // files.
    if (numStored > maxBytes / 16) {
      numStored = 0;
      return true;
    }
  }
  struct stat status;
  return ::fstatat(handle, kPruneStamp, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
         std::time(nullptr) - status.st_mtim.tv_sec > kPruneInterval;
}

void CodeCache::prune() {
  int stamp = ::openat(handle, kPruneStamp,
                       O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (stamp >= 0) {
    (void)::futimens(stamp, nullptr);
    ::close(stamp);
  }
  // Ignore errors, because another process may remove the same files now.
  if (auto unfinished = listFiles(handle, kUnfinishedPrefix)) {
    for (const File &file : *unfinished)
      if (std::time(nullptr) - file.used.tv_sec > kPruneInterval)
        ::unlinkat(handle, file.name.c_str(), 0);
  } else {
    llvm::consumeError(unfinished.takeError());
  }
  llvm::Expected<std::vector<File>> files = listFiles(handle, kPrefix);
  if (!files)
    return llvm::consumeError(files.takeError());
  llvm::sort(*files, [](const File &a, const File &b) {
    return std::tie(a.used.tv_sec, a.used.tv_nsec) <
           std::tie(b.used.tv_sec, b.used.tv_nsec);
  });
  uint64_t numBytes = getNumBytes(*files);
  for (const File &file : *files) {
    if (numBytes <= maxBytes)
      return;
    ::unlinkat(handle, file.name.c_str(), 0);
    numBytes -= file.size;
  }
}

CodeCache::Info CodeCache::getInfo() const {
  Info info{0, 0, 0, 0, maxBytes};
  if (auto files = listFiles(handle, kPrefix)) {
    info.numFiles = files->size();
    info.numBytes = getNumBytes(*files);
  } else {
    llvm::consumeError(files.takeError());
  }
  std::lock_guard<std::mutex> lock(mutex);
  info.hits = hits;
  info.misses = misses;
  return info;
}

llvm::Error CodeCache::clear() {
  auto fail = [&](const llvm::Twine &why) {
    return llvm::createStringError("the cache in '" + directory +
                                   "' cannot be emptied: " + why);
  };
  // Also remove incomplete files: a process that was killed leaves one behind.
  for (StringRef prefix : {kPrefix, kUnfinishedPrefix}) {
    llvm::Expected<std::vector<File>> files = listFiles(handle, prefix);
    if (!files)
      return fail(llvm::toString(files.takeError()));
    for (const File &file : *files)
      if (::unlinkat(handle, file.name.c_str(), 0) != 0 && errno != ENOENT)
        return fail(llvm::sys::StrError());
  }
  return llvm::Error::success();
}
