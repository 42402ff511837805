// Machine code of a layer, and its application to the images of a batch.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CAPI_LAYER_COMPILEDLAYER_H
#define POOL_LIB_CAPI_LAYER_COMPILEDLAYER_H

#include "LayerSpec.h"
#include "pool/ExecutionEngine/Program.h"

#include <memory>

namespace mlir::pool::capi {

/// Arrays of a batch. Strides from image to image are in elements.
struct Batch {
  template <typename T>
  struct Array {
    T *data;
    uint64_t stride;
  };
  uint64_t size;
  Array<const char> in;
  Array<char> out, indices;
  /// Whether an error names its image. A caller without a batch knows it.
  bool namesImages;
};

class CompiledLayer {
public:
  static llvm::Expected<std::unique_ptr<CompiledLayer>> compile(LayerSpec spec);

  /// Checks the arrays and runs the images. Thread-safe: the layer does not
  /// change.
  llvm::Error apply(const Batch &batch) const;

private:
  llvm::Error checkBatch(const Batch &batch) const;
  /// True if each thread runs whole images. Otherwise images run one after
  /// another, and the compiled code may use threads within each.
  bool sharesOutImages(const Batch &batch) const;
  /// Runs the images [`begin`, `end`) one after another.
  llvm::Error run(const Batch &batch, uint64_t begin, uint64_t end) const;

  LayerSpec spec;
  std::unique_ptr<Program> program;
  /// The functions `kApply` and `kApplyWithIndices` of the module
  /// (LayerModule.h). `withIndices` is null if the layer gives no indices.
  const Entry *plain = nullptr, *withIndices = nullptr;
};

} // namespace mlir::pool::capi

#endif // POOL_LIB_CAPI_LAYER_COMPILEDLAYER_H
