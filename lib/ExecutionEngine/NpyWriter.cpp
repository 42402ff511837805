// Writes .npy files, all of a run or none.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/Npy.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

using namespace mlir;
using namespace mlir::pool;
namespace fs = llvm::sys::fs;

/// Magic, version 1.0, length and dictionary, padded so that the elements start
/// at a multiple of 64 bytes, as NumPy does it.
static std::string makeHeader(const ArrayType &type) {
  std::string shape = "(";
  for (auto [i, extent] : llvm::enumerate(type.shape))
    shape += (i ? ", " : "") + std::to_string(extent);
  shape += type.shape.size() == 1 ? ",)" : ")";
  std::string dictionary = "{'descr': '" + type.dtype.getDescr() +
                           "', 'fortran_order': False, 'shape': " + shape +
                           ", }";
  constexpr size_t startBytes = 10;
  dictionary.append(63 - (startBytes + dictionary.size()) % 64, ' ');
  dictionary += '\n';

  std::string header("\x93NUMPY\x01\x00", 8);
  char length[2];
  llvm::support::endian::write16le(length, dictionary.size());
  header.append(length, 2);
  return header + dictionary;
}

static llvm::Error makeError(const llvm::Twine &path,
                             const llvm::Twine &message) {
  return llvm::createStringError("cannot write " + path + ": " + message);
}

/// Writes header and elements to an open file, which stays open.
static llvm::Error writeArray(int fd, const NpyOutput &output) {
  llvm::raw_fd_ostream os(fd, /*shouldClose=*/false);
  os << makeHeader(output.type);
  os.write(output.data, *output.type.getNumBytes());
  os.flush();
  std::error_code error = os.error();
  // An error that nobody took would abort the process.
  os.clear_error();
  return error ? makeError(output.path, error.message())
               : llvm::Error::success();
}

/// Where `path` leads, so that a link stays a link, and two spellings of one
/// file are one, be it there or not.
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

  llvm::Error add(const NpyOutput &output) {
    std::string target = resolve(output.path);
    if (llvm::is_contained(targets, target))
      return makeError(output.path, "it is named twice");
    llvm::Expected<fs::TempFile> file =
        fs::TempFile::create(target + ".tmp-%%%%%%%%");
    if (!file)
      return makeError(output.path, llvm::toString(file.takeError()));
    files.emplace_back(std::move(*file), output.path);
    targets.push_back(target);
    return writeArray(files.back().first.FD, output);
  }

  llvm::Error keep() {
    for (size_t i = 0; i < targets.size(); ++i)
      if (llvm::Error error = files[i].first.keep(targets[i])) {
        // Those renamed already stay: each of them is complete.
        std::string message = llvm::toString(std::move(error));
        return makeError(files[i].second, message);
      }
    return llvm::Error::success();
  }

private:
  /// With the path as the user gave it.
  std::vector<std::pair<fs::TempFile, std::string>> files;
  std::vector<std::string> targets;
};
} // namespace

llvm::Error mlir::pool::writeNpy(ArrayRef<NpyOutput> outputs) {
  TempFiles files;
  SmallVector<const NpyOutput *> direct;
  for (const NpyOutput &output : outputs) {
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
  for (const NpyOutput *output : direct) {
    int fd;
    if (std::error_code error = fs::openFileForWrite(
            output->path, fd, fs::CD_OpenExisting, fs::OF_None))
      return makeError(output->path, error.message());
    llvm::Error error = writeArray(fd, *output);
    fs::file_t handle = fs::convertFDToNativeFile(fd);
    if (std::error_code closeError = fs::closeFile(handle);
        closeError && !error)
      return makeError(output->path, closeError.message());
    if (error)
      return error;
  }
  return llvm::Error::success();
}
