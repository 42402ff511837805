// The handler that compiled JAX programs call for pooling, and inference of
// result types for tracing.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Array.h"
#include "Call.h"
#include "Diagnostics.h"
#include "Functions.h"
#include "Kernel.h"
#include "OperationText.h"
#include "XlaFfi.h"
#include "pool/InitAll.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::python;

/// Interface version of the oldest supported jaxlib. This version has
/// everything that XlaFfi.h declares, and later jaxlibs accept it.
static constexpr int kApiMajor = 0, kApiMinor = 3;

//===----------------------------------------------------------------------===//
// The handler
//===----------------------------------------------------------------------===//

/// Returns the element type for `type`, XLA's number of an element type.
/// Returns nothing if pooling does not support it.
static std::optional<DType> getDType(int32_t type) {
  using Kind = DType::Kind;
  switch (type) {
  case 2:
    return DType{Kind::Signed, 1};
  case 3:
    return DType{Kind::Signed, 2};
  case 4:
    return DType{Kind::Signed, 4};
  case 5:
    return DType{Kind::Signed, 8};
  case 6:
    return DType{Kind::Unsigned, 1};
  case 7:
    return DType{Kind::Unsigned, 2};
  case 8:
    return DType{Kind::Unsigned, 4};
  case 9:
    return DType{Kind::Unsigned, 8};
  case 10:
    return DType{Kind::Float, 2};
  case 11:
    return DType{Kind::Float, 4};
  case 12:
    return DType{Kind::Float, 8};
  case 16:
    return DType{Kind::BFloat, 2};
  default:
    return std::nullopt;
  }
}

/// Converts `error` to an error of XLA, which XLA then owns.
static xla::Error *makeError(const xla::CallFrame &frame, llvm::Error error) {
  int32_t code = xla::kInvalidArgument;
  std::string message;
  llvm::handleAllErrors(std::move(error), [&](const llvm::ErrorInfoBase &info) {
    message = info.message();
    if (info.convertToErrorCode() == std::errc::not_enough_memory)
      code = xla::kResourceExhausted;
  });
  xla::ErrorArguments arguments{sizeof(xla::ErrorArguments), nullptr,
                                message.c_str(), code};
  return frame.api->createError(&arguments);
}

static llvm::Error checkBuffers(const xla::Buffers &buffers) {
  for (int64_t i = 0; i < buffers.size; ++i)
    if (buffers.types[i] != xla::kBuffer)
      return makeInvalid("an argument or result is no buffer");
  return llvm::Error::success();
}

/// Returns the string attribute `operation`, or an empty string if there is
/// none.
static StringRef findOperation(const xla::Attributes &attributes) {
  for (int64_t i = 0; i < attributes.size; ++i) {
    StringRef name(attributes.names[i]->data, attributes.names[i]->size);
    if (name != "operation" || attributes.types[i] != xla::kString)
      continue;
    const auto *text = static_cast<const xla::Span *>(attributes.values[i]);
    return StringRef(text->data, text->size);
  }
  return {};
}

/// Runs the operation of the call on XLA's buffers. Calls from Python use the
/// same kernels.
static llvm::Error run(const xla::CallFrame &frame) {
  Request request;
  if (!parseOperation(findOperation(frame.attributes), request))
    return makeInvalid("the operation's text cannot be read: it is of another "
                       "version of pool_mlir");
  if (llvm::Error error = checkBuffers(frame.arguments))
    return error;
  if (llvm::Error error = checkBuffers(frame.results))
    return error;
  // An empty buffer may have no address, but kernels need one.
  alignas(64) static char none[64];
  auto getData = [](const xla::Buffer *buffer) -> void * {
    return buffer->data ? buffer->data : none;
  };
  SmallVector<const void *> inputs;
  SmallVector<void *> outputs;
  for (const xla::Buffer *buffer :
       ArrayRef(frame.arguments.buffers, frame.arguments.size)) {
    std::optional<DType> dtype = getDType(buffer->type);
    if (!dtype)
      return makeInvalid("pool operations do not take its element type");
    request.operands.push_back(
        {*dtype, Extents(buffer->dims, buffer->dims + buffer->rank), Part()});
    inputs.push_back(getData(buffer));
  }
  ArrayRef<xla::Buffer *> results(frame.results.buffers, frame.results.size);
  for (const xla::Buffer *buffer : results)
    outputs.push_back(getData(buffer));
  if (!getExtentsWord(request.operation).empty() && !results.empty())
    request.resultShape =
        Extents(results[0]->dims, results[0]->dims + results[0]->rank);
  request.threads = getNumThreads();

  SmallVector<char, 512> key;
  request.appendKey(key);
  StringRef text(key.data(), key.size());
  KernelCache &cache = KernelCache::get();
  std::shared_ptr<Kernel> kernel = cache.find(text);
  if (!kernel) {
    llvm::Expected<std::shared_ptr<Kernel>> compiled =
        cache.findOrCompile(text, request);
    if (!compiled)
      return compiled.takeError();
    kernel = std::move(*compiled);
  }
  // XLA allocated results of the types and shapes that its program declares.
  // These may be wrong, so compare them with the kernel's.
  ArrayRef<ArrayType> types = kernel->getResults();
  bool fits = types.size() == results.size();
  for (unsigned i = 0; fits && i < types.size(); ++i)
    fits = getDType(results[i]->type) == types[i].dtype &&
           ArrayRef(results[i]->dims, results[i]->rank) ==
               ArrayRef<int64_t>(types[i].shape);
  if (!fits)
    return makeInvalid("the results are not those of '" + request.operation +
                       "' on these arguments");
  return kernel->run(inputs, outputs);
}

/// The entry point. XLA calls it from threads of its own, which do not hold the
/// interpreter's lock.
static xla::Error *handle(xla::CallFrame *frame) {
  for (xla::Extension *e = frame->extensions; e; e = e->next) {
    if (e->type != xla::kMetadataExtension)
      continue;
    // Report the version that was checked when the package was imported.
    xla::Metadata *metadata =
        reinterpret_cast<xla::MetadataExtension *>(e)->metadata;
    metadata->apiVersion.major = kApiMajor;
    metadata->apiVersion.minor = kApiMinor;
    metadata->traits = 0;
    return nullptr;
  }
  // Exceptions must not leave the handler.
  try {
    if (llvm::Error error = run(*frame))
      return makeError(*frame, std::move(error));
  } catch (const std::exception &exception) {
    return makeError(*frame,
                     llvm::createStringError(llvm::Twine(exception.what())));
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Python
//===----------------------------------------------------------------------===//

namespace {
using TypeAndShape = std::pair<std::string, std::vector<int64_t>>;
} // namespace

/// Returns the element type, by NumPy's name, and the shape of each result.
/// `operation` is a text as in OperationText.h, and `operands` have the same
/// form as the results. `resultShape` is the shape of the result if the
/// operands do not determine it. Raises ValueError for an invalid operation.
static std::vector<TypeAndShape>
infer(const std::string &operation, const std::vector<TypeAndShape> &operands,
      std::optional<std::vector<int64_t>> resultShape) {
  Request request;
  if (!parseOperation(operation, request))
    raise(PyExc_ValueError, "'" + operation + "' is no operation's text");
  for (const auto &[name, shape] : operands)
    request.operands.push_back(makeOperand(name, shape));
  if (resultShape)
    request.resultShape = Extents(resultShape->begin(), resultShape->end());
  CompileContext context(getExecutionRegistry());
  DiagnosticCollector diagnostics(context);
  OwningOpRef<ModuleOp> module = buildModule(request, context);
  if (!module)
    raise(PyExc_ValueError, diagnostics.getText());
  std::vector<TypeAndShape> results;
  auto function = *module->getOps<func::FuncOp>().begin();
  for (Type type : function.getResultTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    results.emplace_back(getDType(tensor.getElementType())->getName(),
                         tensor.getShape().vec());
  }
  return results;
}

void mlir::pool::python::addFfi(nb::module_ &module) {
  module.def("_infer", &infer, "operation"_a, "operands"_a,
             "result_shape"_a = nb::none());
  module.def("_ffi_handler", [] {
    return nb::capsule(reinterpret_cast<void *>(&handle),
                       "xla._CUSTOM_CALL_TARGET");
  });
  module.attr("_ffi_target") = kTarget.data();
  module.attr("_ffi_version") = nb::make_tuple(kApiMajor, kApiMinor);
}
