// The functions of pool-c/Layer.h. They convert errors to a status and a
// message.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool-c/Layer.h"

#include "CompiledLayer.h"
#include "LayerError.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::capi;

/// The message of this thread's last failed call. Its size is fixed, because
/// there may be no memory left to allocate.
static thread_local char lastError[2048];

static PoolLayerStatus report(llvm::Error error) {
  PoolLayerStatus status = PoolLayerStatusSuccess;
  std::string message;
  // `error` has at most one error, but the interface of handleAllErrors is for
  // lists.
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &info) {
    message = info.message();
    status = info.isA<LayerError>()
                 ? static_cast<const LayerError &>(info).getStatus()
                 : PoolLayerStatusCompilationFailed;
  });
  if (status == PoolLayerStatusSuccess)
    return status;
  size_t length = std::min(message.size(), sizeof(lastError) - 1);
  message.copy(lastError, length);
  lastError[length] = '\0';
  return status;
}

static llvm::Error makeNullError(const llvm::Twine &name) {
  return makeError(PoolLayerStatusInvalidArgument, name + " is null");
}

struct PoolLayer {
  std::unique_ptr<CompiledLayer> compiled;
};

PoolLayerStatus poolLayerCreate(const PoolLayerParameters *parameters,
                                const PoolLayerRuntimeParameters *runtime,
                                PoolLayer **layer) {
  if (!layer)
    return report(makeNullError("layer"));
  *layer = nullptr;
  if (!parameters)
    return report(makeNullError("parameters"));
  llvm::Expected<LayerSpec> spec = getLayerSpec(*parameters, runtime);
  if (!spec)
    return report(spec.takeError());
  llvm::Expected<std::unique_ptr<CompiledLayer>> compiled =
      CompiledLayer::compile(std::move(*spec));
  if (!compiled)
    return report(compiled.takeError());
  *layer = new PoolLayer{std::move(*compiled)};
  return PoolLayerStatusSuccess;
}

static PoolLayerStatus apply(const PoolLayer *layer, size_t batchSize,
                             const void *in, size_t inStride, void *out,
                             size_t outStride, int64_t *indices,
                             size_t indicesStride, bool namesImages) {
  if (!layer)
    return report(makeNullError("layer"));
  if (batchSize == 0)
    return PoolLayerStatusSuccess;
  if (!in)
    return report(makeNullError("in"));
  if (!out)
    return report(makeNullError("out"));
  return report(layer->compiled->apply(
      {batchSize,
       {static_cast<const char *>(in), inStride},
       {static_cast<char *>(out), outStride},
       {reinterpret_cast<char *>(indices), indicesStride},
       namesImages}));
}

PoolLayerStatus poolLayerApply(const PoolLayer *layer, const void *in,
                               void *out, int64_t *indices) {
  return apply(layer, /*batchSize=*/1, in, 0, out, 0, indices, 0,
               /*namesImages=*/false);
}

PoolLayerStatus poolLayerApplyBatch(const PoolLayer *layer, size_t batchSize,
                                    const void *in, size_t inStride, void *out,
                                    size_t outStride, int64_t *indices,
                                    size_t indicesStride) {
  return apply(layer, batchSize, in, inStride, out, outStride, indices,
               indicesStride, /*namesImages=*/true);
}

void poolLayerDestroy(PoolLayer *layer) { delete layer; }

const char *poolLayerGetLastError(void) { return lastError; }
