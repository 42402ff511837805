// Compiles modules into programs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/Program.h"

#include "JIT.h"
#include "Stopwatch.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

using namespace mlir;
using namespace mlir::pool;

void mlir::pool::registerForExecution(DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
}

Program::Program() = default;
Program::~Program() = default;

llvm::Expected<std::unique_ptr<Program>>
Program::compile(ModuleOp module, const CompileOptions &options) {
  llvm::Expected<std::vector<EntryPoint>> entries =
      getEntryPoints(module, options.entries);
  if (!entries)
    return entries.takeError();

  if (options.threads < 1 || options.threads > kMaxThreads)
    return llvm::createStringError("the number of threads must be 1 to " +
                                   llvm::Twine(kMaxThreads) + ", but is " +
                                   llvm::Twine(options.threads));
  if (options.threads > 1 && options.guard != GuardMode::None)
    return llvm::createStringError(
        "guard pages need one thread: only the calling one is watched");

  PoolToLLVMOptions pipeline;
  if (options.threads > 1)
    pipeline.threads = ThreadModel::OpenMP;
  pipeline.path = options.path;
  pipeline.runtimeChecks = options.runtimeChecks;
  pipeline.cWrappers = false;
  // Aligned buffers have slack that a guard page cannot cover.
  if (options.guard != GuardMode::None)
    pipeline.bufferAlignment = 0;
  auto program = std::unique_ptr<Program>(new Program());
  llvm::Expected<std::unique_ptr<JIT>> jit = JIT::compile(
      module, *entries, pipeline, options.optLevel, program->times);
  if (!jit)
    return jit.takeError();
  program->jit = std::move(*jit);
  Stopwatch stopwatch;
  for (EntryPoint &point : *entries) {
    llvm::Expected<void (*)(void **)> function =
        program->jit->lookup(point.name);
    if (!function)
      return function.takeError();
    Entry &entry = program->entries[point.name];
    entry.name = std::move(point.name);
    entry.signature = std::move(point.signature);
    entry.function = *function;
    entry.guard = options.guard;
    entry.threads = options.threads;
  }
  program->times.linking += stopwatch.lap();
  return std::move(program);
}

llvm::Expected<const Entry *> Program::lookup(StringRef name) const {
  auto it = entries.find(name);
  if (it == entries.end())
    return llvm::createStringError("no compiled function '" + name + "'");
  return &it->second;
}
