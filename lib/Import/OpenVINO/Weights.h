// Reads the file of a model's constants.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_WEIGHTS_H
#define POOL_LIB_IMPORT_OPENVINO_WEIGHTS_H

#include "Model.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::pool::openvino {

class Weights {
public:
  /// `path` as in OpenVINOImportOptions. The file is opened on first use.
  Weights(const Places &places, StringRef path) : places(places), path(path) {}

  /// The value of a Const layer; null after an error.
  DenseElementsAttr getConstant(const Layer &layer);

private:
  LogicalResult open(const Layer &layer);
  FailureOr<ArrayRef<char>> getBytes(const Layer &layer, int64_t offset,
                                     int64_t size);

  const Places &places;
  std::string path;
  std::unique_ptr<llvm::MemoryBuffer> file;
  /// Pieces of the file that constants were read from, and their total bytes.
  llvm::DenseSet<std::pair<int64_t, int64_t>> pieces;
  size_t bytesRead = 0;
};

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_WEIGHTS_H
