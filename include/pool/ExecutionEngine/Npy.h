// Arrays in NumPy's .npy files, format versions 1 to 3.
//
// A file is not trusted: whatever its header says is checked against the format
// and against the size of the file before memory is asked for. Every error
// names the file.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_EXECUTIONENGINE_NPY_H
#define POOL_EXECUTIONENGINE_NPY_H

#include "pool/ExecutionEngine/ArrayType.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace mlir::pool {

/// The contents of an .npy header.
struct NpyHeader {
  ArrayType type;
  /// Stored column-major; the reader transposes.
  bool fortranOrder = false;
  /// Stored in the other byte order; the reader swaps.
  bool swapped = false;
};

/// Parses the dictionary of an .npy header, without the bytes before it. The
/// messages do not name a file.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef text);

/// An .npy file that is being read.
class NpyReader {
public:
  /// Opens `path` and reads its header. A regular file must have exactly the
  /// size that the header implies.
  static llvm::Expected<NpyReader> open(llvm::StringRef path);

  NpyReader(NpyReader &&);
  NpyReader &operator=(NpyReader &&);
  ~NpyReader();

  const std::string &getPath() const { return path; }
  const ArrayType &getType() const { return header.type; }
  int64_t getNumBytes() const { return numBytes; }

  /// Reads the elements into `data`, which has `getNumBytes()` bytes:
  /// row-major, in the host's byte order. To be called once.
  llvm::Error read(char *data);

private:
  class File;
  NpyReader(std::unique_ptr<File> file, std::string path);

  std::unique_ptr<File> file;
  std::string path;
  NpyHeader header;
  int64_t numBytes = 0;
};

/// An array to be written, and the path of its file.
struct NpyOutput {
  std::string path;
  ArrayType type;
  /// Row-major, in the host's byte order.
  const char *data;
};

/// Writes all arrays or none: each goes to a temporary file beside its path,
/// and the files are renamed once all are complete. What is not a regular file,
/// like a pipe or a device, is written directly.
llvm::Error writeNpy(llvm::ArrayRef<NpyOutput> outputs);

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_NPY_H
