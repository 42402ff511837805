// Reads .npy files. `open` compares the size of a regular file with its header,
// before a caller allocates memory for the array. `read` fails unless the file
// ends right after the array.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Npy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace mlir;
using namespace mlir::pool;
namespace fs = llvm::sys::fs;

/// Largest accepted header in bytes. A header with 64 dimensions is much
/// smaller.
static constexpr uint32_t kMaxHeaderBytes = 1 << 16;

static llvm::Error makeReadError(const llvm::Twine &path,
                                 const llvm::Twine &message) {
  return llvm::createStringError(path + ": " + message);
}

/// An open file, which is read from the beginning to the end.
class NpyReader::File {
public:
  explicit File(fs::file_t handle) : handle(handle) {}
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  ~File() {
    // Ignore errors of closing: nothing was written, so no data can be lost.
    [[maybe_unused]] std::error_code error = fs::closeFile(handle);
  }

  /// Returns the size in bytes, or none if this is not a regular file or if its
  /// status cannot be read.
  std::optional<uint64_t> getSize() const {
    fs::file_status status;
    if (fs::status(handle, status) ||
        status.type() != fs::file_type::regular_file)
      return std::nullopt;
    return status.getSize();
  }

  /// Reads `size` bytes, or fewer if the file ends before. Returns the number
  /// of bytes that were read.
  llvm::Expected<size_t> read(char *data, size_t size) {
    size_t done = 0;
    while (done < size) {
      llvm::Expected<size_t> count = fs::readNativeFile(
          handle, MutableArrayRef<char>(data + done, size - done));
      if (!count)
        return count.takeError();
      if (*count == 0)
        break;
      done += *count;
    }
    return done;
  }

private:
  fs::file_t handle;
};

/// Reads `size` bytes of the header. Fails if the file ends before.
template <typename FileT>
static llvm::Error readHeaderBytes(FileT &file, StringRef path, char *data,
                                   size_t size) {
  llvm::Expected<size_t> count = file.read(data, size);
  if (!count)
    return makeReadError(path, llvm::toString(count.takeError()));
  if (*count != size)
    return makeReadError(path, "the file ends within the .npy header");
  return llvm::Error::success();
}

NpyReader::NpyReader(std::unique_ptr<File> file, std::string path)
    : file(std::move(file)), path(std::move(path)) {}
NpyReader::NpyReader(NpyReader &&) = default;
NpyReader &NpyReader::operator=(NpyReader &&) = default;
NpyReader::~NpyReader() = default;

llvm::Expected<NpyReader> NpyReader::open(StringRef path) {
  llvm::Expected<fs::file_t> handle = fs::openNativeFileForRead(path);
  if (!handle)
    return makeReadError(path, llvm::toString(handle.takeError()));
  NpyReader reader(std::make_unique<File>(*handle), path.str());
  File &file = *reader.file;

  // Read the magic and the version, then the length of the header in 2 or 4
  // bytes.
  constexpr StringRef magic("\x93NUMPY", 6);
  char start[8];
  llvm::Expected<size_t> count = file.read(start, sizeof(start));
  if (!count)
    return makeReadError(path, llvm::toString(count.takeError()));
  if (StringRef(start, std::min<size_t>(*count, 6)) != magic)
    return makeReadError(path, "not an .npy file");
  if (*count != sizeof(start))
    return makeReadError(path, "the file ends within the .npy header");
  unsigned major = static_cast<unsigned char>(start[6]);
  unsigned minor = static_cast<unsigned char>(start[7]);
  if (major < 1 || major > 3 || minor != 0)
    return makeReadError(path, "version " + llvm::Twine(major) + "." +
                                   llvm::Twine(minor) +
                                   " of the .npy format is not supported");
  size_t lengthBytes = major == 1 ? 2 : 4;
  char length[4] = {0, 0, 0, 0};
  if (llvm::Error error = readHeaderBytes(file, path, length, lengthBytes))
    return std::move(error);
  uint32_t headerBytes = llvm::support::endian::read32le(length);
  if (headerBytes > kMaxHeaderBytes)
    return makeReadError(path, "header of " + llvm::Twine(headerBytes) +
                                   " bytes is too large");
  std::vector<char> text(headerBytes);
  if (llvm::Error error = readHeaderBytes(file, path, text.data(), headerBytes))
    return std::move(error);
  if (text.empty() || text.back() != '\n')
    return makeReadError(path, "malformed header: no newline at its end");

  llvm::Expected<NpyHeader> header =
      parseNpyHeader(StringRef(text.data(), text.size()));
  if (!header)
    return makeReadError(path, llvm::toString(header.takeError()));
  reader.header = std::move(*header);
  const ArrayType &type = reader.header.type;
  std::optional<int64_t> numBytes = type.getNumBytes();
  if (!numBytes)
    return makeReadError(path, "array " + type.str() + " is too large");
  reader.numBytes = *numBytes;

  if (std::optional<uint64_t> size = file.getSize()) {
    uint64_t offset = sizeof(start) + lengthBytes + headerBytes;
    uint64_t actual = *size > offset ? *size - offset : 0;
    if (actual != static_cast<uint64_t>(*numBytes))
      return makeReadError(path, "array " + type.str() + " takes " +
                                     llvm::Twine(*numBytes) +
                                     " bytes, but the file has " +
                                     llvm::Twine(actual) + " after its header");
  }
  return std::move(reader);
}

/// Copies elements of `Size` bytes from column-major order to row-major order.
template <size_t Size>
static void transpose(const char *from, char *to, ArrayRef<int64_t> shape,
                      int64_t numElements) {
  SmallVector<int64_t> position(shape.size(), 0);
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t i = 1; i < shape.size(); ++i)
    strides[i] = strides[i - 1] * shape[i - 1];
  int64_t source = 0;
  for (int64_t i = 0; i < numElements; ++i) {
    std::memcpy(to + i * Size, from + source * Size, Size);
    // Advance to the next position in row-major order.
    for (size_t d = shape.size(); d-- > 0;) {
      source += strides[d];
      if (++position[d] < shape[d])
        break;
      source -= strides[d] * shape[d];
      position[d] = 0;
    }
  }
}

static void transpose(const char *from, char *to, const ArrayType &type,
                      int64_t numElements) {
  switch (type.dtype.size) {
  case 1:
    return transpose<1>(from, to, type.shape, numElements);
  case 2:
    return transpose<2>(from, to, type.shape, numElements);
  case 4:
    return transpose<4>(from, to, type.shape, numElements);
  default:
    return transpose<8>(from, to, type.shape, numElements);
  }
}

llvm::Error NpyReader::read(char *data) {
  llvm::Expected<size_t> count = file->read(data, numBytes);
  if (!count)
    return makeReadError(path, llvm::toString(count.takeError()));
  char extra;
  if (*count == static_cast<size_t>(numBytes)) {
    llvm::Expected<size_t> extraCount = file->read(&extra, 1);
    if (!extraCount)
      return makeReadError(path, llvm::toString(extraCount.takeError()));
    if (*extraCount != 0)
      return makeReadError(path, "the file goes on after the array");
  } else {
    return makeReadError(path, "the file ends after " + llvm::Twine(*count) +
                                   " of " + llvm::Twine(numBytes) +
                                   " bytes of the array");
  }
  file.reset();

  const ArrayType &type = header.type;
  unsigned size = type.dtype.size;
  if (header.swapped)
    for (char *element = data; element != data + numBytes; element += size)
      std::reverse(element, element + size);
  if (type.dtype.kind == DType::Kind::Bool &&
      llvm::any_of(ArrayRef<char>(data, numBytes),
                   [](char c) { return c != 0 && c != 1; }))
    return makeReadError(path, "an element of type bool is neither 0 nor 1");
  if (header.fortranOrder && type.shape.size() > 1 && numBytes > 0) {
    std::vector<char> columnMajor(data, data + numBytes);
    transpose(columnMajor.data(), data, type, numBytes / size);
  }
  return llvm::Error::success();
}
