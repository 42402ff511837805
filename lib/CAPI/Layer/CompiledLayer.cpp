// Compiles layers and applies them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompiledLayer.h"

#include "LayerError.h"
#include "LayerModule.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "pool/ExecutionEngine/ThreadTeam.h"
#include "pool/InitAll.h"
#include "llvm/Support/MathExtras.h"

#include <cstdio>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::capi;

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

static llvm::Error addMessages(llvm::Error error, StringRef diagnostics) {
  std::string message = llvm::toString(std::move(error));
  if (!diagnostics.empty())
    message += (": " + diagnostics).str();
  return makeError(PoolLayerStatusCompilationFailed, message);
}

llvm::Expected<std::unique_ptr<CompiledLayer>>
CompiledLayer::compile(LayerSpec spec) {
  CompileContext context(getExecutionRegistry());
  std::string diagnostics;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return;
    if (!diagnostics.empty())
      diagnostics += "; ";
    diagnostics += diagnostic.str();
  });

  OwningOpRef<ModuleOp> module = createLayerModule(*context.get(), spec);
  if (!module)
    return addMessages(llvm::createStringError("the layer is no operation"),
                       diagnostics);
  CompileOptions options;
  options.context = &context;
  options.threads = spec.threads;
  options.cache = CodeCache::getDefault();
  llvm::Expected<std::unique_ptr<Program>> program =
      Program::findOrCompile(*module, options);
  if (std::string warning = CodeCache::takeWarning(); !warning.empty())
    // Do not print to LLVM's stream, which ends a process without standard
    // error.
    std::fprintf(stderr, "pool-mlir: warning: %s\n", warning.c_str());
  if (!program && spec.areThreadsOpen && spec.threads > 1) {
    // Retry with one thread. Several threads need OpenMP's run-time library,
    // which may be missing, and the user did not ask for a number of threads.
    llvm::consumeError(program.takeError());
    diagnostics.clear();
    options.threads = 1;
    program = Program::findOrCompile(*module, options);
  }
  if (!program)
    return addMessages(program.takeError(), diagnostics);

  auto layer = std::make_unique<CompiledLayer>();
  layer->program = std::move(*program);
  layer->plain = llvm::cantFail(layer->program->lookup(kApply));
  if (spec.canGiveIndices())
    layer->withIndices =
        llvm::cantFail(layer->program->lookup(kApplyWithIndices));
  layer->spec = std::move(spec);
  return std::move(layer);
}

//===----------------------------------------------------------------------===//
// Arrays of a batch
//===----------------------------------------------------------------------===//

namespace {
/// Address range of an array of a batch: from the beginning of the first image
/// to the end of the last, including gaps within and between images.
struct Extent {
  StringRef name;
  const char *begin;
  uint64_t bytes;
};
} // namespace

static llvm::Error makeArgumentError(const llvm::Twine &message) {
  return makeError(PoolLayerStatusInvalidArgument, message);
}

/// Returns the address range of `array`, which has `batchSize` images of `span`
/// elements each. Fails if the array is not aligned to its elements, or if the
/// range does not fit the address space.
template <typename T>
static llvm::Expected<Extent> getExtent(StringRef name, Batch::Array<T> array,
                                        uint64_t batchSize, int64_t span,
                                        unsigned elementSize) {
  auto [begin, stride] = array;
  auto address = reinterpret_cast<uintptr_t>(begin);
  if (address % elementSize != 0)
    return makeArgumentError(name + " is not aligned to its elements of " +
                             llvm::Twine(elementSize) + " bytes");
  bool overflowed = false;
  uint64_t elements = llvm::SaturatingMultiplyAdd<uint64_t>(
      batchSize - 1, stride, static_cast<uint64_t>(span), &overflowed);
  uint64_t bytes = 0;
  if (!overflowed)
    bytes =
        llvm::SaturatingMultiply<uint64_t>(elements, elementSize, &overflowed);
  if (overflowed || bytes > UINT64_MAX - address ||
      bytes > static_cast<uint64_t>(INT64_MAX))
    return makeArgumentError(name + "_stride is " + llvm::Twine(stride) +
                             ", with which a batch of " +
                             llvm::Twine(batchSize) +
                             " images is larger than any memory");
  return Extent{name, begin, bytes};
}

static llvm::Error checkDistinctImages(StringRef name, uint64_t stride,
                                       uint64_t batchSize, int64_t span) {
  if (batchSize == 1 || stride >= static_cast<uint64_t>(span))
    return llvm::Error::success();
  return makeArgumentError(
      name + "_stride is " + llvm::Twine(stride) + ", but an image has " +
      llvm::Twine(span) +
      " elements: what is written for two of them would overlap");
}

static llvm::Error checkDisjoint(const Extent &read, const Extent &written) {
  if (read.begin + read.bytes <= written.begin ||
      written.begin + written.bytes <= read.begin)
    return llvm::Error::success();
  return makeArgumentError(read.name + " and " + written.name + " overlap");
}

llvm::Error CompiledLayer::checkBatch(const Batch &batch) const {
  llvm::Expected<Extent> in = getExtent(
      "in", batch.in, batch.size, spec.input.span, spec.input.element.size);
  if (!in)
    return in.takeError();
  llvm::Expected<Extent> out = getExtent(
      "out", batch.out, batch.size, spec.output.span, spec.output.element.size);
  if (!out)
    return out.takeError();
  if (llvm::Error error = checkDistinctImages("out", batch.out.stride,
                                              batch.size, spec.output.span))
    return error;
  if (llvm::Error error = checkDisjoint(*in, *out))
    return error;
  if (!batch.indices.data)
    return spec.isUnMax()
               ? makeArgumentError("indices is null, but UnMax needs them")
               : llvm::Error::success();

  if (!spec.reduction && !spec.isUnMax())
    return makeArgumentError("indices is not null, but the layer has no "
                             "positions to give or to take");
  if (!spec.isUnMax() && !withIndices)
    return makeError(PoolLayerStatusUnsupported,
                     "indices is not null, but the layer has padding that "
                     "counts as zero and has no position; "
                     "PoolLayerMaxPaddingLowest allows for indices");
  int64_t count = spec.isUnMax() ? spec.input.getNumElements()
                                 : spec.output.getNumElements();
  llvm::Expected<Extent> indices =
      getExtent("indices", batch.indices, batch.size, count, sizeof(int64_t));
  if (!indices)
    return indices.takeError();
  if (llvm::Error error = checkDisjoint(*indices, *out))
    return error;
  if (spec.isUnMax())
    return llvm::Error::success();
  if (llvm::Error error = checkDistinctImages("indices", batch.indices.stride,
                                              batch.size, count))
    return error;
  return checkDisjoint(*in, *indices);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// Arrays of one image, in the order of the arguments and results of the
/// compiled function.
struct ImageArrays {
  ImageArrays(const LayerSpec &spec, const Batch &batch, bool givesIndices,
              uint64_t image);

  SmallVector<const void *, 4> inputs;
  SmallVector<void *, 2> outputs;
};
} // namespace

ImageArrays::ImageArrays(const LayerSpec &spec, const Batch &batch,
                         bool givesIndices, uint64_t image) {
  char *indices = batch.indices.data;
  if (indices)
    indices += image * batch.indices.stride * sizeof(int64_t);
  char *out =
      batch.out.data + image * batch.out.stride * spec.output.element.size;
  inputs.push_back(batch.in.data +
                   image * batch.in.stride * spec.input.element.size);
  if (spec.isUnMax())
    inputs.push_back(indices);
  if (spec.hasBias())
    inputs.push_back(spec.channelBias.data());
  if (spec.output.isPacked)
    outputs.push_back(out);
  else
    inputs.push_back(out);
  if (givesIndices)
    outputs.push_back(indices);
}

/// Returns a message about the first of an image's `indices` that is not a
/// position of the output. Returns an empty string if all are positions.
static std::string describeWrongIndex(const LayerSpec &spec,
                                      const int64_t *indices) {
  int64_t positions = spec.output.getNumElements();
  for (int64_t i = 0, count = spec.input.getNumElements(); i < count; ++i)
    if (indices[i] < 0 || indices[i] >= positions)
      return "indices[" + std::to_string(i) + "] is " +
             std::to_string(indices[i]) + ", but an output image has " +
             "positions 0 to " + std::to_string(positions - 1);
  return "";
}

llvm::Error CompiledLayer::run(const Batch &batch, uint64_t begin,
                               uint64_t end) const {
  const bool givesIndices = batch.indices.data && !spec.isUnMax();
  const Entry &entry = givesIndices ? *withIndices : *plain;
  ImageArrays first(spec, batch, givesIndices, begin);
  SmallVector<ArrayView, 4> views;
  for (auto [argument, data] :
       llvm::zip_equal(entry.signature.arguments, first.inputs))
    views.push_back({argument.getArrayType(), const_cast<void *>(data)});
  llvm::Expected<Invocation> invocation =
      Invocation::bind(entry, views, first.outputs);
  // bind() cannot fail for arrays that checkBatch() accepts, because the
  // function was compiled for their types.
  if (!invocation)
    return makeError(PoolLayerStatusCompilationFailed,
                     llvm::toString(invocation.takeError()));

  for (uint64_t image = begin; image < end; ++image) {
    if (image != begin) {
      ImageArrays arrays(spec, batch, givesIndices, image);
      invocation->rebind(arrays.inputs, arrays.outputs);
    }
    llvm::Error error = invocation->run();
    if (!error)
      continue;
    PoolLayerStatus status = PoolLayerStatusCheckFailed;
    std::string message;
    llvm::handleAllErrors(std::move(error), [&](llvm::ErrorInfoBase &info) {
      message = info.message();
      if (info.convertToErrorCode() == std::errc::not_enough_memory)
        status = PoolLayerStatusOutOfMemory;
    });
    if (status == PoolLayerStatusCheckFailed && spec.isUnMax()) {
      // Replace the error of compiled code, which is written for readers of
      // MLIR.
      const auto *indices =
          reinterpret_cast<const int64_t *>(batch.indices.data) +
          image * batch.indices.stride;
      std::string own = describeWrongIndex(spec, indices);
      if (!own.empty())
        message = own;
    }
    if (batch.namesImages)
      message.insert(0, "image " + std::to_string(image) + ": ");
    return makeError(status, message);
  }
  return llvm::Error::success();
}

bool CompiledLayer::sharesOutImages(const Batch &batch) const {
  if (plain->threads == 1 || batch.size == 1)
    return false;
  // Least amount of work, in bytes, for which starting threads is worthwhile.
  // This is the default of the pass pool-select-parallel-loops. So the code of
  // a larger image may use threads itself.
  constexpr uint64_t grain = uint64_t{512} * 1024;
  auto getBytes = [](const ImageSpec &image) -> uint64_t {
    return image.getNumElements() * image.element.size;
  };
  uint64_t bytes = getBytes(spec.input) + getBytes(spec.output);
  return bytes < grain &&
         llvm::SaturatingMultiply<uint64_t>(bytes, batch.size) >= grain;
}

llvm::Error CompiledLayer::apply(const Batch &batch) const {
  if (llvm::Error error = checkBatch(batch))
    return error;
  if (!sharesOutImages(batch))
    return run(batch, 0, batch.size);
  return forEachPiece(
      plain->threads, batch.size,
      [&](uint64_t begin, uint64_t end) { return run(batch, begin, end); });
}
