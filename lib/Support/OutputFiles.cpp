// Writes all regular files of a tool, or none of them. Special files are
// written first, and cannot be restored.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Support/OutputFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <utility>
#include <vector>

using namespace mlir;
using namespace mlir::pool;
namespace fs = llvm::sys::fs;

static llvm::Error makeWriteError(const llvm::Twine &path,
                                  const llvm::Twine &message) {
  return llvm::createStringError("cannot write " + path + ": " + message);
}

/// Prints `output` to the open file `fd`. Does not close it.
static llvm::Error printTo(int fd, const OutputFile &output) {
  llvm::raw_fd_ostream os(fd, /*shouldClose=*/false);
  output.print(os);
  os.flush();
  std::error_code error = os.error();
  // Clear the error, because the stream's destructor aborts the process if
  // there is one.
  os.clear_error();
  return error ? makeWriteError(output.path, error.message())
               : llvm::Error::success();
}

/// Returns `path` without symbolic links and `..`. The file need not exist.
/// With this path, replacing a file keeps a link to it, and two spellings of
/// one path are equal. Returns `path` unchanged if its directory does not
/// exist.
static std::string resolve(StringRef path) {
  SmallString<256> real;
  if (!fs::real_path(path, real))
    return real.str().str();
  StringRef directory = llvm::sys::path::parent_path(path);
  if (fs::real_path(directory.empty() ? "." : directory, real))
    return path.str();
  llvm::sys::path::append(real, llvm::sys::path::filename(path));
  return real.str().str();
}

/// Writes to an existing file that is not regular, for example a device.
static llvm::Error writeInPlace(const OutputFile &output) {
  int fd;
  if (std::error_code error = fs::openFileForWrite(
          output.path, fd, fs::CD_OpenExisting, fs::OF_None))
    return makeWriteError(output.path, error.message());
  llvm::Error error = printTo(fd, output);
  fs::file_t handle = fs::convertFDToNativeFile(fd);
  if (std::error_code closeError = fs::closeFile(handle); closeError && !error)
    return makeWriteError(output.path, closeError.message());
  return error;
}

namespace {
/// Keeps the old contents of a file under a second name, so that `restore` can
/// put them back.
class Backup {
public:
  explicit Backup(std::string target) : target(std::move(target)) {}
  Backup(Backup &&other)
      : target(std::move(other.target)), name(std::exchange(other.name, {})) {}
  ~Backup() {
    if (!name.empty())
      fs::remove(name);
  }

  /// Makes a hard link to the file, or a copy if the file system has no links.
  /// Does nothing if there is no file.
  std::error_code make() {
    if (!fs::exists(target))
      return {};
    SmallString<256> path;
    fs::createUniquePath(target + ".old-%%%%%%%%", path,
                         /*MakeAbsolute=*/false);
    if (fs::create_hard_link(target, path))
      if (std::error_code error = fs::copy_file(target, path))
        return error;
    name = path.str().str();
    return {};
  }

  /// Puts the old file back. If there was no old file, removes the new one. If
  /// the old file cannot be put back, it stays under the backup's name.
  void restore() {
    if (name.empty())
      fs::remove(target);
    else
      fs::rename(name, target);
    name.clear();
  }

private:
  std::string target, name;
};

/// Temporary files. The destructor removes those that `keep` did not rename.
class TempFiles {
public:
  ~TempFiles() {
    for (auto &[file, target] : files)
      llvm::consumeError(file.discard());
  }

  llvm::Error add(const OutputFile &output) {
    std::string target = resolve(output.path);
    if (llvm::is_contained(targets, target))
      return makeWriteError(output.path, "it is named twice");
    llvm::Expected<fs::TempFile> file =
        fs::TempFile::create(target + ".tmp-%%%%%%%%");
    if (!file)
      return makeWriteError(output.path, llvm::toString(file.takeError()));
    files.emplace_back(std::move(*file), output.path);
    targets.push_back(target);
    return printTo(files.back().first.FD, output);
  }

  llvm::Error keep() {
    std::vector<Backup> backups;
    for (size_t i = 0; i < targets.size(); ++i) {
      std::string message;
      Backup &backup = backups.emplace_back(targets[i]);
      // The last file needs no backup, because nothing can fail after its
      // rename.
      if (i + 1 < targets.size())
        if (std::error_code error = backup.make())
          message = error.message();
      if (message.empty())
        if (llvm::Error error = files[i].first.keep(targets[i]))
          message = llvm::toString(std::move(error));
      if (message.empty())
        continue;
      backups.pop_back();
      llvm::for_each(backups, [](Backup &kept) { kept.restore(); });
      return makeWriteError(files[i].second, message);
    }
    return llvm::Error::success();
  }

private:
  /// Each temporary file, with the path that the user gave.
  std::vector<std::pair<fs::TempFile, std::string>> files;
  /// The path that each temporary file is renamed to.
  std::vector<std::string> targets;
};
} // namespace

llvm::Error mlir::pool::writeFiles(ArrayRef<OutputFile> outputs) {
  TempFiles files;
  SmallVector<const OutputFile *> inPlace;
  for (const OutputFile &output : outputs) {
    fs::file_status status;
    if (!fs::status(output.path, status) &&
        status.type() != fs::file_type::regular_file) {
      // Write to special files in place: a rename would replace them by regular
      // files.
      inPlace.push_back(&output);
      continue;
    }
    if (llvm::Error error = files.add(output))
      return error;
  }
  // Write special files first. They cannot be restored if a rename fails later.
  // Regular files still have their old contents if writing to a special file
  // fails.
  for (const OutputFile *output : inPlace)
    if (llvm::Error error = writeInPlace(*output))
      return error;
  return files.keep();
}
