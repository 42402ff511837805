// Reads constants from the weights file, and checks that each lies within the
// file.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Weights.h"

#include "LayerAttributes.h"
#include "Precision.h"

#include "pool/Support/WindowRules.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

LogicalResult Weights::open(const Layer &layer) {
  if (file)
    return success();
  bool isBeside = path.empty();
  if (isBeside) {
    SmallString<256> beside(places.getPath());
    llvm::sys::path::replace_extension(beside, "bin");
    path = beside.str();
  }
  auto emitFileError = [&](const llvm::Twine &why) {
    return emitLayerError(places, layer)
           << "the weights file '" << path << "' " << why;
  };
  // Follow a symbolic link only if it stays in the model's folder: the model
  // may come from an untrusted archive, with links to anywhere. A path that the
  // caller names may be any link.
  if (isBeside && llvm::sys::fs::is_symlink_file(path)) {
    SmallString<256> target, folder;
    if (llvm::sys::fs::real_path(path, target) ||
        llvm::sys::fs::real_path(llvm::sys::path::has_parent_path(path)
                                     ? llvm::sys::path::parent_path(path)
                                     : StringRef("."),
                                 folder))
      return emitFileError("is a link that leads nowhere");
    if (llvm::sys::path::parent_path(target) != folder)
      return emitFileError("is a link that leads out of the model's folder; "
                           "name it with --weights if it is meant");
  }
  // Read only regular files: a device or a pipe may be endless.
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(path, status))
    return emitFileError("cannot be opened: " + error.message());
  if (status.type() != llvm::sys::fs::file_type::regular_file)
    return emitFileError("is not a regular file");
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                  /*RequiresNullTerminator=*/false);
  if (!buffer)
    return emitFileError("cannot be opened: " + buffer.getError().message());
  file = std::move(*buffer);
  return success();
}

FailureOr<ArrayRef<char>> Weights::getBytes(const Layer &layer, int64_t offset,
                                            int64_t size) {
  if (failed(open(layer)))
    return failure();
  int64_t fileSize = file->getBufferSize();
  if (offset < 0 || size < 0 || offset > fileSize || size > fileSize - offset)
    return emitLayerError(places, layer)
           << "its " << size << " bytes at offset " << offset
           << " are not within the " << fileSize
           << " bytes of the weights file '" << path << "'";
  // Constants may share a piece. But the distinct pieces together must not be
  // larger than the file: otherwise overlapping pieces of a small file could
  // fill the memory.
  if (pieces.insert({offset, size}).second) {
    bytesRead += size;
    if (bytesRead > file->getBufferSize())
      return emitLayerError(places, layer)
             << "its " << size << " bytes at offset " << offset
             << " overlap those of other constants in '" << path << "'";
  }
  return ArrayRef(file->getBufferStart() + offset, size);
}

DenseElementsAttr Weights::getConstant(const Layer &layer) {
  LayerAttributes attributes(places, layer);
  StringRef name;
  SmallVector<int64_t> shape;
  int64_t offset, size;
  if (failed(attributes.require("element_type", name)) ||
      failed(attributes.require("shape", shape)) ||
      failed(attributes.require("offset", offset)) ||
      failed(attributes.require("size", size)) || failed(attributes.finish()))
    return {};

  Type elementType = getTypeOfName(places.getContext(), name);
  if (!elementType) {
    attributes.emitError("element_type") << "which is not supported";
    return {};
  }
  bool hasNegative = llvm::any_of(shape, [](int64_t d) { return d < 0; });
  std::optional<int64_t> numElements =
      hasNegative ? std::nullopt : getProduct(shape);
  unsigned bytes = getElementBytes(elementType);
  if (!numElements || *numElements > kAddressable / bytes ||
      *numElements * bytes != size) {
    attributes.emitError("shape") << "which in " << name << " is not the "
                                  << size << " bytes of its size";
    return {};
  }

  FailureOr<ArrayRef<char>> data = getBytes(layer, offset, size);
  if (failed(data))
    return {};
  auto type = RankedTensorType::get(shape, elementType);
  if (elementType.isInteger(1)) {
    // The file has one byte for each boolean. This is not the raw data of the
    // attribute, so convert it.
    SmallVector<bool> values(data->begin(), data->end());
    return DenseElementsAttr::get(type, values);
  }
  return DenseElementsAttr::getFromRawBuffer(type, *data);
}
