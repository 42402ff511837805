// Arrays in NumPy's .npy files, format versions 1 to 3.
//
// Files are not trusted. The header is checked against the format and against
// the file's size before memory is allocated. The errors of NpyReader and
// writeNpy name the file.
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
  /// True if the file is column-major. NpyReader::read transposes it.
  bool fortranOrder = false;
  /// True if the byte order of the file is not the host's. NpyReader::read
  /// swaps the bytes.
  bool swapped = false;
};

/// Parses `text`, the dictionary of an .npy header without the bytes before it.
/// Errors do not name the file.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef text);

/// An .npy file that is being read.
class NpyReader {
public:
  /// Opens `path` and reads its header. Fails if a regular file does not have
  /// exactly the size that the header implies.
  static llvm::Expected<NpyReader> open(llvm::StringRef path);

  NpyReader(NpyReader &&);
  NpyReader &operator=(NpyReader &&);
  ~NpyReader();

  const std::string &getPath() const { return path; }
  const ArrayType &getType() const { return header.type; }
  int64_t getNumBytes() const { return numBytes; }

  /// Reads the elements into the `getNumBytes()` bytes at `data`, row-major and
  /// in the host's byte order. May be called once.
  llvm::Error read(char *data);

private:
  class File;
  NpyReader(std::unique_ptr<File> file, std::string path);

  std::unique_ptr<File> file;
  std::string path;
  NpyHeader header;
  int64_t numBytes = 0;
};

/// An array to write, and the path of the file to write it to.
struct NpyOutput {
  std::string path;
  ArrayType type;
  /// The elements, row-major and in the host's byte order.
  const char *data;
};

/// Writes all arrays, or none if there is an error; see `writeFiles`.
llvm::Error writeNpy(llvm::ArrayRef<NpyOutput> outputs);

} // namespace mlir::pool

#endif // POOL_LIB_TOOLS_RUN_NPY_H
