// From a module with entries to LLVM IR.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowering.h"

#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Transforms/Scalar/LoopIdiomRecognize.h"

using namespace mlir;
using namespace mlir::pool;

llvm::Expected<std::vector<EntryPoint>>
mlir::pool::getEntryPoints(ModuleOp module, ArrayRef<std::string> names) {
  std::vector<EntryPoint> entries;
  auto add = [&](func::FuncOp func) -> llvm::Error {
    llvm::Expected<Signature> signature = Signature::get(func);
    if (!signature)
      return signature.takeError();
    EntryPoint entry;
    entry.name = func.getName().str();
    entry.signature = std::move(*signature);
    llvm::raw_string_ostream(entry.type) << func.getFunctionType();
    entries.push_back(std::move(entry));
    return llvm::Error::success();
  };
  llvm::StringSet<> seen;
  for (const std::string &name : names) {
    llvm::Expected<func::FuncOp> func = findEntry(module, name);
    if (!func)
      return func.takeError();
    if (seen.insert(func->getName()).second)
      if (llvm::Error error = add(*func))
        return std::move(error);
  }
  if (names.empty())
    for (auto func : module.getOps<func::FuncOp>())
      if (func.isPublic() && !func.isExternal())
        if (llvm::Error error = add(func))
          return std::move(error);
  return std::move(entries);
}

llvm::Expected<std::unique_ptr<llvm::Module>>
mlir::pool::lowerToLLVM(ModuleOp module, ArrayRef<EntryPoint> entries,
                        const PoolToLLVMOptions &options,
                        llvm::LLVMContext &context) {
  llvm::StringSet<> names;
  for (const EntryPoint &entry : entries)
    names.insert(entry.name);
  OwningOpRef<ModuleOp> copy = module.clone();
  for (auto func : copy->getOps<func::FuncOp>())
    if (func.isPublic() && !func.isExternal() &&
        !names.contains(func.getName()))
      func.setPrivate();

  PassManager pm(module.getContext());
  // What no entry uses was made private and need not be compilable.
  pm.addPass(createSymbolDCEPass());
  buildPoolToLLVMPipeline(pm, options);
  if (failed(pm.run(*copy)))
    return llvm::createStringError("lowering failed");

  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(*copy, context);
  if (!result)
    return llvm::createStringError("translation to LLVM IR failed");
  return std::move(result);
}

unsigned mlir::pool::getNumParameters(const ValueSpec &spec) {
  // Two pointers, an offset, extents and strides.
  return spec.isTensor ? 3 + 2 * spec.shape.size() : 1;
}

bool mlir::pool::isOutParam(const ValueSpec &spec) {
  return spec.isTensor && spec.hasStaticShape();
}

static llvm::Expected<llvm::Function *>
getLoweredEntry(llvm::Module &module, const EntryPoint &entry) {
  llvm::Function *function = module.getFunction(entry.name);
  unsigned numParameters = 0, numReturned = 0;
  for (const ValueSpec &spec : entry.signature.arguments)
    numParameters += getNumParameters(spec);
  for (const ValueSpec &spec : entry.signature.results) {
    if (isOutParam(spec))
      numParameters += getNumParameters(spec);
    else
      ++numReturned;
  }
  if (!function || function->isDeclaration() ||
      function->arg_size() != numParameters ||
      function->getReturnType()->isVoidTy() != (numReturned == 0))
    return llvm::createStringError(
        "'" + entry.name +
        "' was not lowered to MLIR's default calling convention");
  return function;
}

llvm::Expected<std::vector<llvm::Function *>>
mlir::pool::takeLoweredEntries(llvm::Module &module,
                               ArrayRef<EntryPoint> entries) {
  std::vector<llvm::Function *> result;
  for (const EntryPoint &entry : entries) {
    llvm::Expected<llvm::Function *> function = getLoweredEntry(module, entry);
    if (!function)
      return function.takeError();
    result.push_back(*function);
  }
  // Renamed, for LLVM would take a function that is called like one of C's for
  // that.
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) {
      function.setLinkage(llvm::Function::InternalLinkage);
      function.setName("pool.function." + function.getName());
    }
  return std::move(result);
}

llvm::Error mlir::pool::optimize(llvm::Module &module, unsigned level,
                                 llvm::TargetMachine &target) {
  // LLVM 22 looks for checksums in loops of 8, 16, ... iterations in a time
  // that is exponential in the length of a chain of selections, as that of a
  // maximum over 30 columns is when it is unrolled (llvm/llvm-project#211711).
  llvm::DisableLIRP::HashRecognize = true;
  return makeOptimizingTransformer(level, /*sizeLevel=*/0, &target)(&module);
}
