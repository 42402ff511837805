// Writes files, all of a run or none.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/OutputFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

using namespace mlir;
using namespace mlir::pool;
namespace fs = llvm::sys::fs;

static llvm::Error makeWriteError(const llvm::Twine &path,
                                  const llvm::Twine &message) {
  return llvm::createStringError("cannot write " + path + ": " + message);
}

/// Prints to an open file, which stays open.
static llvm::Error printTo(int fd, const OutputFile &output) {
  llvm::raw_fd_ostream os(fd, /*shouldClose=*/false);
  output.print(os);
  os.flush();
  std::error_code error = os.error();
  // An error that nobody took would abort the process.
  os.clear_error();
  return error ? makeWriteError(output.path, error.message())
               : llvm::Error::success();
}

/// The file that `path` leads to, be it there or not, so that a link stays a
/// link, and two spellings of one file are one.
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

namespace {
/// Temporary files that are discarded unless they are kept.
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
    for (size_t i = 0; i < targets.size(); ++i)
      if (llvm::Error error = files[i].first.keep(targets[i])) {
        // Files renamed already stay: each of them is complete.
        std::string message = llvm::toString(std::move(error));
        return makeWriteError(files[i].second, message);
      }
    return llvm::Error::success();
  }

private:
  /// With the path as the user gave it.
  std::vector<std::pair<fs::TempFile, std::string>> files;
  std::vector<std::string> targets;
};
} // namespace

llvm::Error mlir::pool::writeFiles(ArrayRef<OutputFile> outputs) {
  TempFiles files;
  SmallVector<const OutputFile *> direct;
  for (const OutputFile &output : outputs) {
    fs::file_status status;
    if (!fs::status(output.path, status) &&
        status.type() != fs::file_type::regular_file) {
      // A rename would replace a device by a file.
      direct.push_back(&output);
      continue;
    }
    if (llvm::Error error = files.add(output))
      return error;
  }
  if (llvm::Error error = files.keep())
    return error;
  for (const OutputFile *output : direct) {
    int fd;
    if (std::error_code error = fs::openFileForWrite(
            output->path, fd, fs::CD_OpenExisting, fs::OF_None))
      return makeWriteError(output->path, error.message());
    llvm::Error error = printTo(fd, *output);
    fs::file_t handle = fs::convertFDToNativeFile(fd);
    if (std::error_code closeError = fs::closeFile(handle);
        closeError && !error)
      return makeWriteError(output->path, closeError.message());
    if (error)
      return error;
  }
  return llvm::Error::success();
}
