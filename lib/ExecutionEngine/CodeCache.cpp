// Machine code kept on disk.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/CodeCache.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SHA256.h"

#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace mlir;
using namespace mlir::pool;
namespace fs = llvm::sys::fs;

/// The beginning of the names that LLVM's pruning takes for a cache's.
static constexpr StringRef kPrefix = "llvmcache-";
/// Of files that are being written, which pruning must leave alone.
static constexpr StringRef kUnfinishedPrefix = "unfinished-";

namespace {
/// The beginning of each file.
struct Header {
  char magic[8];
  /// Bytes that follow the header.
  llvm::support::ulittle64_t size;
  /// Hash of the key and of these bytes.
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

//===----------------------------------------------------------------------===//
// Directories
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<CodeCache>>
CodeCache::open(std::string directory, uint64_t maxBytes) {
  auto fail = [&](const llvm::Twine &why) {
    return llvm::createStringError("no cache of machine code in '" + directory +
                                   "': " + why);
  };
  StringRef parent = llvm::sys::path::parent_path(directory);
  if (!parent.empty())
    if (std::error_code code = fs::create_directories(parent))
      return fail(code.message());
  if (std::error_code code = fs::create_directory(
          directory, /*IgnoreExisting=*/true, fs::perms::owner_all))
    return fail(code.message());
  fs::file_status status;
  if (std::error_code code = fs::status(directory, status))
    return fail(code.message());
  if (status.type() != fs::file_type::directory_file)
    return fail("it is no directory");
  if (status.getUser() != ::geteuid())
    return fail("it belongs to another user");
  if (status.permissions() & (fs::perms::group_write | fs::perms::others_write))
    return fail("other users may write to it");
  return std::unique_ptr<CodeCache>(
      new CodeCache(std::move(directory), maxBytes));
}

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
/// What keeps the default cache from working, for `takeWarning`.
class Warning {
public:
  /// Only the first is kept, ever.
  void set(llvm::Error error) {
    std::lock_guard<std::mutex> lock(mutex);
    std::string message = llvm::toString(std::move(error));
    if (!isSet)
      text = std::move(message);
    isSet = true;
  }

  std::string take() {
    std::lock_guard<std::mutex> lock(mutex);
    return std::exchange(text, "");
  }

private:
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
  // Never destroyed: threads may still compile when the process ends.
  static CodeCache *const cache = []() -> CodeCache * {
    std::string directory = getDefaultDirectory();
    if (directory.empty())
      return nullptr;
    llvm::Expected<std::unique_ptr<CodeCache>> opened =
        open(std::move(directory));
    if (opened)
      return opened->release();
    getWarning().set(opened.takeError());
    return nullptr;
  }();
  return cache;
}

std::string CodeCache::takeWarning() { return getWarning().take(); }

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

std::string CodeCache::getPath(StringRef key) const {
  SmallString<128> path(directory);
  llvm::sys::path::append(path, kPrefix + llvm::toHex(getHash(key),
                                                      /*LowerCase=*/true));
  return path.str().str();
}

/// The value in the file that is open, if it is whole and was stored for `key`.
static std::unique_ptr<llvm::MemoryBuffer>
readValue(fs::file_t file, StringRef key, StringRef path) {
  fs::file_status status;
  // Neither a pipe to wait for nor more than could have been written.
  if (fs::status(file, status) ||
      status.type() != fs::file_type::regular_file ||
      status.getSize() < sizeof(Header))
    return nullptr;
  // Read and not mapped: what is cut short meanwhile must not fault.
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> contents =
      llvm::MemoryBuffer::getOpenFile(file, path, status.getSize(),
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
  return llvm::MemoryBuffer::getMemBufferCopy(value, path);
}

std::unique_ptr<llvm::MemoryBuffer> CodeCache::find(StringRef key) {
  std::string path = getPath(key);
  std::unique_ptr<llvm::MemoryBuffer> value;
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (file) {
    value = readValue(*file, key, path);
    // It was used now. On a file system that is read-only it stays as it was.
    if (value)
      (void)fs::setLastAccessAndModificationTime(
          *file, std::chrono::system_clock::now());
    fs::closeFile(*file);
  } else {
    llvm::consumeError(file.takeError());
  }
  std::lock_guard<std::mutex> lock(mutex);
  ++(value ? hits : misses);
  return value;
}

llvm::Error CodeCache::write(StringRef key, StringRef value) {
  SmallString<128> model(directory);
  llvm::sys::path::append(model, kUnfinishedPrefix + "%%%%%%%%%%%%");
  llvm::Expected<fs::TempFile> file = fs::TempFile::create(
      model, fs::perms::owner_read | fs::perms::owner_write);
  if (!file)
    return file.takeError();
  Header header;
  std::memcpy(header.magic, kMagic, sizeof(header.magic));
  header.size = value.size();
  llvm::copy(getHash(key, value), header.hash);
  std::error_code code;
  {
    llvm::raw_fd_ostream os(file->FD, /*shouldClose=*/false);
    os.write(reinterpret_cast<const char *>(&header), sizeof(header));
    os << value;
    os.flush();
    code = os.error();
    os.clear_error();
  }
  if (!code)
    return file->keep(getPath(key));
  return llvm::joinErrors(llvm::errorCodeToError(code), file->discard());
}

void CodeCache::store(StringRef key, StringRef value) {
  if (value.size() > maxBytes)
    return;
  if (llvm::Error error = write(key, value)) {
    getWarning().set(
        llvm::createStringError("machine code cannot be kept in '" + directory +
                                "': " + llvm::toString(std::move(error))));
    return;
  }
  llvm::CachePruningPolicy policy;
  // Each time: what is stored took far longer to compile.
  policy.Interval = std::chrono::seconds(0);
  policy.Expiration = std::chrono::seconds(0);
  policy.MaxSizeBytes = maxBytes;
  llvm::pruneCache(directory, policy);
}

//===----------------------------------------------------------------------===//
// All files
//===----------------------------------------------------------------------===//

/// Calls `action` with each file of a cache whose name begins with `prefix`.
template <typename Action>
static void forEachFile(StringRef directory, StringRef prefix, Action action) {
  std::error_code code;
  for (fs::directory_iterator it(directory, code), end; !code && it != end;
       it.increment(code))
    if (llvm::sys::path::filename(it->path()).starts_with(prefix))
      action(*it);
}

CodeCache::Info CodeCache::getInfo() const {
  Info info{0, 0, 0, 0, maxBytes};
  forEachFile(directory, kPrefix, [&](const fs::directory_entry &entry) {
    // Another process may have removed it.
    if (llvm::ErrorOr<fs::basic_file_status> status = entry.status()) {
      ++info.numFiles;
      info.numBytes += status->getSize();
    }
  });
  std::lock_guard<std::mutex> lock(mutex);
  info.hits = hits;
  info.misses = misses;
  return info;
}

llvm::Error CodeCache::clear() {
  std::error_code failed;
  // What was being written when a process was killed goes, too.
  for (StringRef prefix : {kPrefix, kUnfinishedPrefix})
    forEachFile(directory, prefix, [&](const fs::directory_entry &entry) {
      if (std::error_code code = fs::remove(entry.path()))
        failed = code;
    });
  if (failed)
    return llvm::createStringError(
        failed, "the cache in '" + directory +
                    "' cannot be emptied: " + failed.message());
  return llvm::Error::success();
}
