// Functions of pool-c/Layer.h. All errors end here as a status and a message.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool-c/Layer.h"

#include "CompiledLayer.h"
#include "LayerError.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::capi;

/// Message of this thread's last failed call. The buffer has a fixed size,
/// because memory may have run out.
static thread_local char lastError[2048];

static PoolLayerStatus report(llvm::Error error) {
  PoolLayerStatus status = PoolLayerStatusSuccess;
  std::string message;
  // `error` holds at most one error, but handleAllErrors allows for a list.
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

static PoolLayerStatus apply(const PoolLayer *layer, const Batch &batch) {
  if (!layer)
    return report(makeNullError("layer"));
  if (batch.size == 0)
    return PoolLayerStatusSuccess;
  if (!batch.in.data)
    return report(makeNullError("in"));
  if (!batch.out.data)
    return report(makeNullError("out"));
  return report(layer->compiled->apply(batch));
}

PoolLayerStatus poolLayerApply(const PoolLayer *layer, const void *in,
                               void *out, int64_t *indices) {
  Batch image;
  image.size = 1;
  image.in = {static_cast<const char *>(in), 0};
  image.out = {static_cast<char *>(out), 0};
  image.indices = {reinterpret_cast<char *>(indices), 0};
  image.namesImages = false;
  return apply(layer, image);
}

PoolLayerStatus poolLayerApplyBatch(const PoolLayer *layer, size_t batchSize,
                                    const void *in, size_t inStride, void *out,
                                    size_t outStride, int64_t *indices,
                                    size_t indicesStride) {
  Batch batch;
  batch.size = batchSize;
  batch.in = {static_cast<const char *>(in), inStride};
  batch.out = {static_cast<char *>(out), outStride};
  batch.indices = {reinterpret_cast<char *>(indices), indicesStride};
  batch.namesImages = true;
  return apply(layer, batch);
}

void poolLayerDestroy(PoolLayer *layer) { delete layer; }

const char *poolLayerGetLastError(void) { return lastError; }
