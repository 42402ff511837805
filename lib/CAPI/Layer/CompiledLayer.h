// Machine code of a layer, which is applied to the images of a batch.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CAPI_LAYER_COMPILEDLAYER_H
#define POOL_LIB_CAPI_LAYER_COMPILEDLAYER_H

#include "LayerSpec.h"
#include "pool/ExecutionEngine/Program.h"

#include <memory>

namespace mlir::pool::capi {

/// The arrays of a batch. A stride is the distance between images, in elements.
struct Batch {
  template <typename T>
  struct Array {
    T *data;
    uint64_t stride;
  };
  uint64_t size;
  Array<const char> in;
  Array<char> out, indices;
  /// True if messages of errors name the image. For a call with a single image,
  /// the number would only confuse.
  bool namesImages;
};

class CompiledLayer {
public:
  static llvm::Expected<std::unique_ptr<CompiledLayer>> compile(LayerSpec spec);

  /// Checks the arrays and computes all images. Threads may call this at the
  /// same time, because the layer does not change.
  llvm::Error apply(const Batch &batch) const;

private:
  llvm::Error checkBatch(const Batch &batch) const;
  /// True if each thread computes whole images. If false, images are computed
  /// one after another, and the compiled code may use several threads for an
  /// image.
  bool sharesOutImages(const Batch &batch) const;
  /// Computes the images [begin, end) one after another.
  llvm::Error run(const Batch &batch, uint64_t begin, uint64_t end) const;

  LayerSpec spec;
  std::unique_ptr<Program> program;
  /// The functions `kApply` and `kApplyWithIndices` of LayerModule.h.
  /// `withIndices` is null if the layer cannot return indices.
  const Entry *plain = nullptr, *withIndices = nullptr;
};

} // namespace mlir::pool::capi

#endif // POOL_LIB_CAPI_LAYER_COMPILEDLAYER_H
