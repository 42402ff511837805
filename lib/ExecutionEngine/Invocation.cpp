// Calls a compiled function on the caller's buffers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CallContext.h"
#include "OpenMP.h"
#include "pool/ExecutionEngine/Program.h"

#include "mlir/IR/BuiltinTypes.h"

#include <optional>
#include <vector>

using namespace mlir;
using namespace mlir::pool;

namespace {
/// A result that compiled code allocates, with the shape that it returned.
struct Returned {
  void *data = nullptr;
  SmallVector<int64_t> shape;
};
} // namespace

struct Invocation::Impl {
  explicit Impl(const Entry &entry) : entry(entry), context(entry.guard) {
    shapes.reserve(entry.signature.arguments.size());
    returned.reserve(entry.signature.results.size());
  }

  /// Fails unless the returned shapes fit the types of the results. They may
  /// not fit, because the module computes them.
  llvm::Error checkReturned() const;

  const Entry &entry;
  CallContext context;
  /// Parameters of the packed function (CInterface.h): one for each argument
  /// and result, followed by its shape if that is dynamic. This is a vector on
  /// the heap, away from `context`, which each call writes to. With both side
  /// by side, a small call took 16 to 22 ns instead of 13.
  std::vector<void *> slots;
  /// Shapes and results that `slots` points to. Their capacity is reserved, so
  /// that appending does not move them.
  std::vector<SmallVector<int64_t>> shapes;
  std::vector<Returned> returned;
  /// For each result, either the caller's buffer or the array that compiled
  /// code returned. The other pointer of the pair is null.
  SmallVector<std::pair<void *, Returned *>> results;
  SmallVector<NamedBuffer> buffers;
};

llvm::Error Invocation::Impl::checkReturned() const {
  for (auto [i, spec, result] :
       llvm::enumerate(entry.signature.results, results)) {
    if (!result.second)
      continue;
    ArrayType type{spec.dtype, result.second->shape};
    if (!spec.accepts(type) || !type.getNumBytes() ||
        llvm::any_of(type.shape, [](int64_t extent) { return extent < 0; }))
      return llvm::createStringError("result " + llvm::Twine(i) + " of type " +
                                     spec.text + ": compiled code returned " +
                                     type.str());
  }
  return llvm::Error::success();
}

Invocation::Invocation(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Invocation::Invocation(Invocation &&) noexcept = default;
Invocation &Invocation::operator=(Invocation &&) noexcept = default;
Invocation::~Invocation() = default;

llvm::Expected<Invocation> Invocation::bind(const Entry &entry,
                                            ArrayRef<ArrayView> inputs,
                                            ArrayRef<void *> outputs) {
  const Signature &signature = entry.signature;
  SmallVector<ArrayType> types;
  for (const ArrayView &input : inputs)
    types.push_back(input.type);
  if (llvm::Error error = signature.checkArguments(types))
    return std::move(error);
  if (outputs.size() != signature.results.size())
    return llvm::createStringError(
        "the function has " + llvm::Twine(signature.results.size()) +
        " result(s), but " + llvm::Twine(outputs.size()) + " buffer(s) given");

  auto impl = std::make_unique<Impl>(entry);
  auto addBuffer = [&](StringRef what, size_t i, void *data,
                       const ArrayType &type) -> llvm::Error {
    std::string name = (what + " " + llvm::Twine(i)).str();
    std::optional<int64_t> numBytes = type.getNumBytes();
    if (!numBytes)
      return llvm::createStringError(name + ": " + type.str() +
                                     " is too large");
    impl->buffers.push_back({std::move(name), static_cast<const char *>(data),
                             static_cast<uint64_t>(*numBytes)});
    return llvm::Error::success();
  };

  for (auto [i, spec, input] : llvm::enumerate(signature.arguments, inputs)) {
    if (llvm::Error error = addBuffer("argument", i, input.data, input.type))
      return std::move(error);
    impl->slots.push_back(input.data);
    if (!spec.hasStaticShape())
      impl->slots.push_back(impl->shapes.emplace_back(input.type.shape).data());
  }
  for (auto [i, spec, output] : llvm::enumerate(signature.results, outputs)) {
    if (spec.hasStaticShape() != (output != nullptr))
      return llvm::createStringError(
          "result " + llvm::Twine(i) + " of type " + spec.text +
          (output ? " is allocated by the function" : " needs a buffer"));
    Returned *returned = nullptr;
    if (output) {
      if (llvm::Error error =
              addBuffer("result", i, output, spec.getArrayType()))
        return std::move(error);
      impl->slots.push_back(output);
    } else {
      returned = &impl->returned.emplace_back();
      returned->shape.resize(spec.shape.size());
      impl->slots.push_back(&returned->data);
      impl->slots.push_back(returned->shape.data());
    }
    impl->results.emplace_back(output, returned);
  }
  return Invocation(std::move(impl));
}

void Invocation::rebind(ArrayRef<const void *> inputs,
                        ArrayRef<void *> outputs) {
  const Signature &signature = impl->entry.signature;
  void **slot = impl->slots.data();
  NamedBuffer *buffer = impl->buffers.data();
  auto set = [&](const ValueSpec &spec, const void *data) {
    (buffer++)->begin = static_cast<const char *>(data);
    *slot = const_cast<void *>(data);
    slot += spec.hasStaticShape() ? 1 : 2;
  };
  for (auto [spec, data] : llvm::zip_equal(signature.arguments, inputs))
    set(spec, data);
  for (auto [spec, data, result] :
       llvm::zip_equal(signature.results, outputs, impl->results)) {
    if (data)
      set(spec, data);
    else
      slot += 2;
    result.first = data;
  }
}

llvm::Error Invocation::run() {
  const Entry &entry = impl->entry;
  std::optional<OpenMP::ThreadCount> threads;
  if (entry.threads > 1)
    // `get` cannot fail here, because the code was linked with the library.
    threads.emplace(*llvm::cantFail(OpenMP::get()), entry.threads);
  if (llvm::Error error =
          impl->context.call(entry.function, impl->slots.data(), impl->buffers))
    return error;
  llvm::Error error = impl->checkReturned();
  if (!error && entry.guard != GuardMode::None)
    error = impl->context.checkLeft(llvm::count_if(
        impl->results, [](auto &result) { return result.second != nullptr; }));
  if (error)
    impl->context.freeAll();
  return error;
}

ArrayView Invocation::getResult(unsigned i) const {
  const ValueSpec &spec = impl->entry.signature.results[i];
  auto [output, returned] = impl->results[i];
  if (!returned)
    return {spec.getArrayType(), output};
  return {{spec.dtype, returned->shape}, returned->data};
}

void Invocation::releaseResults() { impl->context.freeAll(); }
