// Arrays in NumPy's .npy files, format versions 1 to 3.
//
// Files are not trusted: before memory is allocated, the header is checked
// against the format and against the size of the file. Error messages of
// NpyReader and writeNpy begin with or contain the path of the file.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_TOOLS_RUN_NPY_H
#define POOL_LIB_TOOLS_RUN_NPY_H

#include "pool/ExecutionEngine/ArrayType.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace mlir::pool {

/// The contents of an .npy header.
struct NpyHeader {
  ArrayType type;
  /// True if the elements are in column-major order. NpyReader::read transposes
  /// them.
  bool fortranOrder = false;
  /// True if the byte order of the elements is not the host's. NpyReader::read
  /// swaps the bytes.
  bool swapped = false;
};

/// Parses `text`, the Python dictionary of an .npy header without the magic and
/// length before it. Error messages do not name the file.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef text);

/// Reads one .npy file.
class NpyReader {
public:
  /// Opens `path` and reads the header. Fails if the header is malformed, if
  /// the element type is not supported, or if a regular file does not have
  /// exactly the size that the header implies.
  static llvm::Expected<NpyReader> open(llvm::StringRef path);

  NpyReader(NpyReader &&);
  NpyReader &operator=(NpyReader &&);
  ~NpyReader();

  const std::string &getPath() const { return path; }
  const ArrayType &getType() const { return header.type; }
  int64_t getNumBytes() const { return numBytes; }

  /// Reads the elements into `data`, which must have room for `getNumBytes()`
  /// bytes. Afterwards they are row-major and in the host's byte order. Fails
  /// if the file does not end right after the array, or if a bool is neither 0
  /// nor 1. May be called only once.
  llvm::Error read(char *data);

private:
  class File;
  NpyReader(std::unique_ptr<File> file, std::string path);

  std::unique_ptr<File> file;
  std::string path;
  NpyHeader header;
  int64_t numBytes = 0;
};

/// An array to write, and the path of its file.
struct NpyOutput {
  std::string path;
  ArrayType type;
  /// The elements in row-major order and the host's byte order.
  const char *data;
};

/// Writes one file for each array. If there is an error, no regular file is
/// changed; see `writeFiles`.
llvm::Error writeNpy(llvm::ArrayRef<NpyOutput> outputs);

} // namespace mlir::pool

#endif // POOL_LIB_TOOLS_RUN_NPY_H
