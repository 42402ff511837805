// Compiles modules into programs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/Program.h"

#include "JIT.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::pool;

void mlir::pool::registerForExecution(DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
}

Program::Program() = default;
Program::~Program() = default;

/// Lowers `module` in place to the llvm dialect.
static LogicalResult lower(ModuleOp module, const CompileOptions &options) {
  PassManager pm(module.getContext());
  // What no entry uses was made private and need not be compilable.
  pm.addPass(createSymbolDCEPass());
  PoolToLLVMOptions pipeline;
  pipeline.path = options.path;
  pipeline.runtimeChecks = options.runtimeChecks;
  pipeline.cWrappers = false;
  // Aligned buffers have slack that a guard page cannot cover.
  if (options.guard != GuardMode::None)
    pipeline.bufferAlignment = 0;
  buildPoolToLLVMPipeline(pm, pipeline);
  return pm.run(module);
}

llvm::Expected<std::unique_ptr<Program>>
Program::compile(ModuleOp module, const CompileOptions &options) {
  auto program = std::unique_ptr<Program>(new Program());
  auto add = [&](func::FuncOp func) -> llvm::Error {
    llvm::Expected<Signature> signature = Signature::get(func);
    if (!signature)
      return signature.takeError();
    Entry entry;
    entry.name = func.getName().str();
    entry.signature = std::move(*signature);
    entry.guard = options.guard;
    program->entries.try_emplace(func.getName(), std::move(entry));
    return llvm::Error::success();
  };
  for (const std::string &name : options.entries) {
    llvm::Expected<func::FuncOp> func = findEntry(module, name);
    if (!func)
      return func.takeError();
    if (llvm::Error error = add(*func))
      return std::move(error);
  }
  if (options.entries.empty())
    for (auto func : module.getOps<func::FuncOp>())
      if (func.isPublic() && !func.isExternal())
        if (llvm::Error error = add(func))
          return std::move(error);

  OwningOpRef<ModuleOp> copy = module.clone();
  for (auto func : copy->getOps<func::FuncOp>())
    if (func.isPublic() && !func.isExternal() &&
        !program->entries.contains(func.getName()))
      func.setPrivate();
  if (failed(lower(*copy, options)))
    return llvm::createStringError("lowering failed");
  llvm::Expected<std::unique_ptr<JIT>> jit =
      JIT::compile(*copy, program->entries, options.optLevel);
  if (!jit)
    return jit.takeError();
  program->jit = std::move(*jit);
  for (auto &it : program->entries) {
    llvm::Expected<void (*)(void **)> function =
        program->jit->lookup(it.first());
    if (!function)
      return function.takeError();
    it.second.function = *function;
  }
  return std::move(program);
}

llvm::Expected<const Entry *> Program::lookup(StringRef name) const {
  auto it = entries.find(name);
  if (it == entries.end())
    return llvm::createStringError("no compiled function '" + name + "'");
  return &it->second;
}
