// Compiles modules into programs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/Program.h"

#include "CallContext.h"
#include "JIT.h"
#include "ProgramImage.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::pool;

Program::Program() = default;
Program::~Program() = default;

llvm::Error Program::checkProcessor(const CompileOptions &options) {
  return getTargetMachine(CodeOptions(options)).takeError();
}

/// Fails if `options` are invalid for every module: if they are out of range or
/// contradict each other.
static llvm::Error check(const CompileOptions &options) {
  if (options.threads < 1 || options.threads > kMaxThreads)
    return llvm::createStringError("the number of threads must be 1 to " +
                                   llvm::Twine(kMaxThreads) + ", but is " +
                                   llvm::Twine(options.threads));
  if (options.cache && options.source.empty())
    return llvm::createStringError("code is kept for a source; there is none");
  if (options.threads > 1 && options.guard != GuardMode::None)
    return llvm::createStringError(
        "guard pages need one thread: only the calling one is watched");
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Program>>
Program::compile(ModuleOp module, const CompileOptions &options) {
  llvm::Expected<std::vector<EntryPoint>> entries =
      getEntryPoints(module, options.entries);
  if (!entries)
    return entries.takeError();

  if (llvm::Error error = check(options))
    return std::move(error);
  CodeOptions code(options);
  CompileTimes times;
  llvm::Expected<SmallVector<char, 0>> object =
      compileToObject(module, *entries, code, options.context, times);
  if (!object)
    return object.takeError();
  ProgramImage image;
  image.object = StringRef(object->data(), object->size());
  for (EntryPoint &entry : *entries)
    image.functions.push_back(
        {std::move(entry.name), std::move(entry.signature)});
  llvm::Expected<std::unique_ptr<Program>> program = link(image, options);
  if (!program)
    return program.takeError();
  if (options.cache)
    if (std::string key = getImageKey(code, options.entries, options.source);
        !key.empty())
      options.cache->store(key, image.write());
  times.linking = (*program)->times.linking;
  (*program)->times = times;
  return program;
}

std::unique_ptr<Program> Program::find(const CompileOptions &options) {
  if (!options.cache || llvm::errorToBool(check(options)))
    return nullptr;
  std::string key =
      getImageKey(CodeOptions(options), options.entries, options.source);
  if (key.empty())
    return nullptr;
  std::unique_ptr<llvm::MemoryBuffer> bytes = options.cache->find(key);
  if (!bytes)
    return nullptr;
  llvm::Expected<ProgramImage> image = ProgramImage::read(bytes->getBuffer());
  llvm::Expected<std::unique_ptr<Program>> program =
      image ? link(*image, options) : image.takeError();
  if (program)
    return std::move(*program);
  // Ignore the error, because the caller compiles the module instead.
  llvm::consumeError(program.takeError());
  return nullptr;
}

llvm::Expected<std::unique_ptr<Program>>
Program::findOrCompile(ModuleOp module, CompileOptions options) {
  if (options.cache) {
    // Print with locations, because messages of failed checks contain them.
    // Print in the generic form, because a pretty form may omit something.
    OpPrintingFlags flags;
    flags.enableDebugInfo().printGenericOpForm();
    llvm::raw_string_ostream os(options.source);
    module->print(os, flags);
    if (std::unique_ptr<Program> program = find(options))
      return std::move(program);
  }
  return compile(module, options);
}

llvm::Expected<std::unique_ptr<Program>>
Program::link(const ProgramImage &image, const CompileOptions &options) {
  Stopwatch stopwatch;
  auto program = std::unique_ptr<Program>(new Program());
  llvm::Expected<std::unique_ptr<JIT>> jit =
      JIT::link(image.object, options.threads > 1);
  if (!jit)
    return jit.takeError();
  program->jit = std::move(*jit);
  for (const ProgramImage::Function &made : image.functions) {
    llvm::Expected<void (*)(void **)> function =
        program->jit->lookup(made.name);
    if (!function)
      return function.takeError();
    program->names.push_back(made.name);
    program->entries[made.name] = {made.name, made.signature, *function,
                                   options.guard, options.threads};
  }
  program->times.linking = stopwatch.lap();
  return std::move(program);
}

llvm::Expected<const Entry *> Program::lookup(StringRef name) const {
  auto it = entries.find(name);
  if (it == entries.end())
    return llvm::createStringError("no compiled function '" + name + "'");
  return &it->second;
}
