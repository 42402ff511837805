// Calls a compiled function on the caller's buffers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CallContext.h"
#include "OpenMP.h"
#include "pool/ExecutionEngine/Program.h"

#include "mlir/IR/BuiltinTypes.h"

#include <cstring>
#include <deque>
#include <optional>

using namespace mlir;
using namespace mlir::pool;

namespace {
/// A memref descriptor as the compiled code has it: two pointers, an offset,
/// extents and strides, each of 64 bits.
class Descriptor {
public:
  explicit Descriptor(unsigned rank) : rank(rank), words(3 + 2 * rank, 0) {}

  /// Describes a row-major buffer.
  Descriptor(void *data, ArrayRef<int64_t> shape) : Descriptor(shape.size()) {
    setData(data);
    // Unsigned: the product may leave int64 where an extent is 0.
    uint64_t stride = 1;
    for (unsigned i = rank; i-- > 0;) {
      words[3 + i] = shape[i];
      words[3 + rank + i] = stride;
      stride *= shape[i];
    }
  }

  void setData(const void *data) {
    words[0] = words[1] = reinterpret_cast<uintptr_t>(data);
  }
  void *getData() const {
    void *data;
    std::memcpy(static_cast<void *>(&data), &words[1], sizeof(data));
    return data;
  }
  SmallVector<int64_t> getShape() const {
    return SmallVector<int64_t>(words.begin() + 3, words.begin() + 3 + rank);
  }
  SmallVectorImpl<uint64_t> &getWords() { return words; }

private:
  unsigned rank;
  SmallVector<uint64_t, 11> words;
};
static_assert(sizeof(void *) == sizeof(uint64_t),
              "descriptors are described for 64-bit hosts");
} // namespace

struct Invocation::Impl {
  explicit Impl(const Entry &entry) : entry(entry), context(entry.guard) {}

  void addTensor(void *data, ArrayRef<int64_t> shape) {
    descriptors.emplace_back(data, shape);
    for (uint64_t &word : descriptors.back().getWords())
      slots.push_back(&word);
  }

  /// Fails unless the shapes that came back for dynamic types fit them. They
  /// are as right as the arithmetic in the module that made them.
  llvm::Error checkReturned() const;

  const Entry &entry;
  CallContext context;
  /// Pointers to the parts of all arguments, then to what is returned.
  SmallVector<void *> slots;
  /// In a container that does not move them.
  std::deque<Descriptor> descriptors;
  /// For each result, the caller's buffer or the returned descriptor.
  SmallVector<std::pair<void *, Descriptor *>> results;
  SmallVector<NamedBuffer> buffers;
};

llvm::Error Invocation::Impl::checkReturned() const {
  for (auto [i, spec, result] :
       llvm::enumerate(entry.signature.results, results)) {
    if (!result.second)
      continue;
    ArrayType type{spec.dtype, result.second->getShape()};
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
    if (spec.isTensor)
      impl->addTensor(input.data, input.type.shape);
    else
      impl->slots.push_back(input.data);
  }
  for (auto [i, spec, output] : llvm::enumerate(signature.results, outputs)) {
    if (spec.hasStaticShape() != (output != nullptr))
      return llvm::createStringError(
          "result " + llvm::Twine(i) + " of type " + spec.text +
          (output ? " is allocated by the function" : " needs a buffer"));
    if (!output)
      continue;
    if (llvm::Error error = addBuffer("result", i, output, spec.getArrayType()))
      return std::move(error);
    if (spec.isTensor)
      impl->addTensor(output, spec.shape);
  }
  // Returned descriptors come last, in the order of the results.
  for (auto [spec, output] : llvm::zip(signature.results, outputs)) {
    Descriptor *returned = nullptr;
    if (!spec.hasStaticShape()) {
      returned = &impl->descriptors.emplace_back(spec.shape.size());
      impl->slots.push_back(returned->getWords().data());
    } else if (!spec.isTensor) {
      impl->slots.push_back(output);
    }
    impl->results.emplace_back(output, returned);
  }
  return Invocation(std::move(impl));
}

void Invocation::rebind(ArrayRef<const void *> inputs,
                        ArrayRef<void *> outputs) {
  const Signature &signature = impl->entry.signature;
  // In the order of `bind`.
  auto descriptor = impl->descriptors.begin();
  void **slot = impl->slots.data();
  NamedBuffer *buffer = impl->buffers.data();
  auto setTensor = [&](const void *data) {
    slot += descriptor->getWords().size();
    (descriptor++)->setData(data);
  };
  for (auto [spec, data] : llvm::zip_equal(signature.arguments, inputs)) {
    (buffer++)->begin = static_cast<const char *>(data);
    if (spec.isTensor)
      setTensor(data);
    else
      *slot++ = const_cast<void *>(data);
  }
  for (auto [spec, data] : llvm::zip_equal(signature.results, outputs)) {
    if (!data)
      continue;
    (buffer++)->begin = static_cast<const char *>(data);
    if (spec.isTensor)
      setTensor(data);
  }
  for (auto [spec, data, result] :
       llvm::zip_equal(signature.results, outputs, impl->results)) {
    result.first = data;
    if (!spec.hasStaticShape())
      ++slot;
    else if (!spec.isTensor)
      *slot++ = data;
  }
}

llvm::Error Invocation::run() {
  const Entry &entry = impl->entry;
  std::optional<OpenMP::ThreadCount> threads;
  if (entry.threads > 1)
    // The library is there, for the code was linked with it.
    threads.emplace(*llvm::cantFail(OpenMP::get()), entry.threads);
  if (llvm::Error error =
          impl->context.call(entry.function, impl->slots.data(), impl->buffers))
    return error;
  if (llvm::Error error = impl->checkReturned()) {
    impl->context.freeAll();
    return error;
  }
  if (entry.guard == GuardMode::None)
    return llvm::Error::success();
  return impl->context.checkLeft(llvm::count_if(
      impl->results, [](auto &result) { return result.second != nullptr; }));
}

ArrayView Invocation::getResult(unsigned i) const {
  const ValueSpec &spec = impl->entry.signature.results[i];
  auto [output, returned] = impl->results[i];
  if (!returned)
    return {spec.getArrayType(), output};
  return {{spec.dtype, returned->getShape()}, returned->getData()};
}

void Invocation::releaseResults() { impl->context.freeAll(); }
