// Reads the weights file, which has a model's constants.
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
  /// `path` is the path of the weights file. If it is empty, the file has the
  /// model's path with the extension .bin. The file is opened at the first use.
  Weights(const Places &places, StringRef path) : places(places), path(path) {}

  /// Returns the value of a Const layer. On failure, emits an error and returns
  /// null.
  DenseElementsAttr getConstant(const Layer &layer);

private:
  LogicalResult open(const Layer &layer);
  FailureOr<ArrayRef<char>> getBytes(const Layer &layer, int64_t offset,
                                     int64_t size);

  const Places &places;
  std::string path;
  std::unique_ptr<llvm::MemoryBuffer> file;
  /// Distinct pieces (offset, size) of the file that were read. `bytesRead` is
  /// the sum of their sizes.
  llvm::DenseSet<std::pair<int64_t, int64_t>> pieces;
  size_t bytesRead = 0;
};

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_WEIGHTS_H
