// Compiles, caches and calls kernels.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernel.h"
#include "pool/InitAll.h"

#include "Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::python;

//===----------------------------------------------------------------------===//
// Kernel
//===----------------------------------------------------------------------===//

llvm::Expected<std::shared_ptr<Kernel>>
Kernel::compile(StringRef key, const Request &request) {
  CompileOptions options;
  options.threads = request.threads;
  options.cache = CodeCache::getDefault();
  if (options.cache) {
    options.source = ("request\n" + key).str();
    if (std::unique_ptr<Program> program = Program::find(options))
      return wrap(std::move(program));
  }

  CompileContext context(getExecutionRegistry());
  options.context = &context;
  DiagnosticCollector diagnostics(context);
  OwningOpRef<ModuleOp> module = buildModule(request, context);
  if (!module)
    return makeInvalid(diagnostics.getText());

  llvm::Expected<std::unique_ptr<Program>> program =
      Program::compile(*module, options);
  if (!program) {
    // Lowerings report what they do not support, such as sizes that need more
    // than 64 bits.
    if (diagnostics.getText().empty())
      return program.takeError();
    llvm::consumeError(program.takeError());
    return makeInvalid(diagnostics.getText());
  }
  return wrap(std::move(*program));
}

llvm::Expected<std::shared_ptr<Kernel>>
Kernel::wrap(std::unique_ptr<Program> program) {
  llvm::Expected<const Entry *> entry = program->lookup(kEntry);
  if (!entry)
    return entry.takeError();

  auto kernel = std::make_shared<Kernel>();
  kernel->program = std::move(program);
  kernel->entry = *entry;
  for (const ValueSpec &spec : (*entry)->signature.results)
    kernel->results.push_back(spec.getArrayType());
  return kernel;
}

llvm::Error Kernel::run(ArrayRef<const void *> inputs,
                        ArrayRef<void *> outputs) {
  std::optional<Invocation> invocation;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!idle.empty()) {
      invocation.emplace(std::move(idle.back()));
      idle.pop_back();
    }
  }
  if (invocation) {
    invocation->rebind(inputs, outputs);
  } else {
    SmallVector<ArrayView> views;
    for (auto [spec, input] :
         llvm::zip_equal(entry->signature.arguments, inputs))
      // Arguments are never written.
      views.push_back({spec.getArrayType(), const_cast<void *>(input)});
    llvm::Expected<Invocation> bound = Invocation::bind(*entry, views, outputs);
    if (!bound)
      return bound.takeError();
    invocation.emplace(std::move(*bound));
  }
  llvm::Error error = invocation->run();
  std::lock_guard<std::mutex> lock(mutex);
  idle.push_back(std::move(*invocation));
  return error;
}

//===----------------------------------------------------------------------===//
// KernelCache
//===----------------------------------------------------------------------===//

KernelCache &KernelCache::get() {
  static auto *cache = new KernelCache();
  return *cache;
}

std::shared_ptr<Kernel> KernelCache::findLocked(StringRef key) {
  auto it = byKey.find(key);
  if (it == byKey.end())
    return nullptr;
  ++hits;
  entries.splice(entries.begin(), entries, it->second);
  return it->second->second;
}

std::shared_ptr<Kernel> KernelCache::find(StringRef key) {
  std::lock_guard<std::mutex> lock(mutex);
  return findLocked(key);
}

std::list<KernelCache::Entry> KernelCache::shrinkLocked() {
  std::list<Entry> removed;
  while (entries.size() > maxSize) {
    byKey.erase(entries.back().first);
    removed.splice(removed.end(), entries, std::prev(entries.end()));
  }
  return removed;
}

llvm::Expected<std::shared_ptr<Kernel>>
KernelCache::findOrCompile(StringRef key, const Request &request) {
  std::shared_ptr<Pending> own;
  {
    std::unique_lock<std::mutex> lock(mutex);
    if (std::shared_ptr<Kernel> kernel = findLocked(key))
      return kernel;
    ++misses;
    std::shared_ptr<Pending> &slot = pending[key];
    if (std::shared_ptr<Pending> other = slot) {
      changed.wait(lock, [&] { return other->isDone; });
      if (other->kernel)
        return other->kernel;
      return llvm::createStringError(other->code, other->message);
    }
    own = slot = std::make_shared<Pending>();
  }

  llvm::Expected<std::shared_ptr<Kernel>> kernel =
      Kernel::compile(key, request);
  if (kernel) {
    own->kernel = *kernel;
  } else {
    llvm::handleAllErrors(kernel.takeError(),
                          [&](const llvm::ErrorInfoBase &error) {
                            own->message = error.message();
                            own->code = error.convertToErrorCode();
                          });
  }
  std::list<Entry> removed;
  {
    std::lock_guard<std::mutex> lock(mutex);
    own->isDone = true;
    pending.erase(key);
    if (own->kernel) {
      entries.emplace_front(key.str(), own->kernel);
      byKey[key] = entries.begin();
      removed = shrinkLocked();
    }
  }
  changed.notify_all();
  if (own->kernel)
    return own->kernel;
  return llvm::createStringError(own->code, own->message);
}

KernelCache::Info KernelCache::getInfo() {
  std::lock_guard<std::mutex> lock(mutex);
  return {hits, misses, maxSize, entries.size()};
}

void KernelCache::clear() {
  std::list<Entry> removed;
  std::lock_guard<std::mutex> lock(mutex);
  removed.swap(entries);
  byKey.clear();
  hits = misses = 0;
}

void KernelCache::setMaxSize(size_t size) {
  std::list<Entry> removed;
  std::lock_guard<std::mutex> lock(mutex);
  maxSize = size;
  removed = shrinkLocked();
}
