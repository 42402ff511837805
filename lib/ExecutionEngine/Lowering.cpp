// Lowers the entries of a module to LLVM IR.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowering.h"

#include "CallContext.h"
#include "pool/ExecutionEngine/Program.h"
#include "pool/Pipelines/Passes.h"
#include "pool/Upstream/LLVMRepairs.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Passes/PassBuilder.h"

using namespace mlir;
using namespace mlir::pool;

CodeOptions::CodeOptions() {
  cWrappers = false;
  bf16AsBits = true;
  assertHandler = kCheckFailed.str();
}

CodeOptions::CodeOptions(const CompileOptions &options) : CodeOptions() {
  // The structured binding names all members of CompileOptions, so this code
  // stops compiling when a member is added. Add the new member to the binding.
  // If machine code depends on it, also assign it below.
  const auto &[givenPath, checks, level, processor, processorFeatures,
               numThreads, guard, entries, cache, context, source] = options;
  path = givenPath;
  runtimeChecks = checks;
  optLevel = level;
  // For this machine's processor, `cpu` stays empty.
  if (processor != "native")
    cpu = processor;
  features = processorFeatures;
  if (numThreads > 1)
    threads = ThreadModel::OpenMP;
  // Do not align guarded buffers: alignment would add slack, and accesses to
  // slack do not trap.
  if (guard != GuardMode::None)
    bufferAlignment = 0;
}

llvm::Expected<std::vector<EntryPoint>>
mlir::pool::getEntryPoints(ModuleOp module, ArrayRef<std::string> names) {
  std::vector<EntryPoint> entries;
  auto add = [&](func::FuncOp func) -> llvm::Error {
    llvm::Expected<Signature> signature = Signature::get(func);
    if (!signature)
      return signature.takeError();
    EntryPoint &entry = entries.emplace_back();
    entry.name = func.getName().str();
    entry.signature = std::move(*signature);
    llvm::raw_string_ostream(entry.type) << func.getFunctionType();
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

void mlir::pool::keepPublic(ModuleOp module, ArrayRef<std::string> names) {
  llvm::StringSet<> kept;
  for (const std::string &name : names)
    kept.insert(name);
  for (auto func : module.getOps<func::FuncOp>())
    if (func.isPublic() && !func.isExternal() && !kept.contains(func.getName()))
      func.setPrivate();
}

/// Renames all functions with a body to `pool.function.NAME`, and returns the
/// new names by the old names. The reason: the lowering declares functions of
/// the C library such as `aligned_alloc`, and LLVM would treat a function of
/// the module with such a name as the one of the C library. No library has a
/// name with a dot.
static llvm::StringMap<std::string> renameFunctions(ModuleOp module) {
  llvm::StringMap<std::string> result;
  // An unregistered operation may hide uses of a symbol, so rename nothing. The
  // lowering will reject that operation.
  if (!SymbolTable::getSymbolUses(&module.getBodyRegion()))
    return result;
  SymbolTableCollection tables;
  SymbolUserMap users(tables, module);
  const SymbolTable &table = tables.getSymbolTable(module);
  llvm::StringSet<> taken;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isExternal())
      continue;
    std::string name = ("pool.function." + func.getName()).str();
    while (table.lookup(name) || taken.contains(name))
      name += "_";
    taken.insert(name);
    result[func.getName()] = name;
    auto symbol = StringAttr::get(module.getContext(), name);
    users.replaceAllUsesWith(func, symbol);
    func.setSymNameAttr(symbol);
  }
  return result;
}

void mlir::pool::addLowering(PassManager &passes,
                             const PoolToLLVMOptions &options) {
#ifdef NDEBUG
  // Verifying after each pass would take a third of the time to compile.
  // Instead, RequireLLVM, the last pass, rejects operations outside the llvm
  // dialect.
  passes.enableVerifier(false);
#endif
  buildPoolToLLVMPipeline(passes, options);
}

/// Returns the number of parameters that stand for a value in a lowered
/// function: the fields of a memref descriptor for a tensor, 1 for a scalar.
static unsigned getNumParameters(const ValueSpec &spec) {
  return spec.isTensor ? getNumDescriptorFields(spec.shape.size()) : 1;
}

/// Returns the LLVM function `name`, to which `entry` was lowered. Fails if it
/// is missing or does not have MLIR's default calling convention.
static llvm::Expected<llvm::Function *>
getLoweredEntry(llvm::Module &module, const EntryPoint &entry, StringRef name) {
  llvm::Function *function = module.getFunction(name);
  unsigned numParameters = 0, numReturned = 0;
  for (const ValueSpec &spec : entry.signature.arguments)
    numParameters += getNumParameters(spec);
  for (const ValueSpec &spec : entry.signature.results) {
    if (spec.isTensor && spec.hasStaticShape())
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

/// Makes every function of `module` internal, and gives it a name that no
/// library has.
static void internalize(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.setLinkage(llvm::Function::InternalLinkage);
    // Functions that were already in the llvm dialect were not renamed before.
    StringRef name = function.getName();
    if (!name.starts_with("pool."))
      function.setName("pool.function." + name);
  }
}

llvm::Expected<LoweredModule>
mlir::pool::lowerToLLVM(ModuleOp module, ArrayRef<EntryPoint> entries,
                        const PoolToLLVMOptions &options,
                        llvm::LLVMContext &context,
                        CompileContext *compileContext) {
  auto names = llvm::map_to_vector(
      entries, [](const EntryPoint &entry) { return entry.name; });
  OwningOpRef<ModuleOp> copy = module.clone();
  keepPublic(*copy, names);

  auto run = [&](PassManager &passes) { return passes.run(*copy); };
  // Before functions are renamed, remove private functions that no entry uses.
  // Such functions may be impossible to compile, and may contain operations
  // that hide uses of symbols.
  auto removeUnused = [&] {
    PassManager passes(module.getContext());
    passes.enableVerifier(false);
    passes.addPass(createSymbolDCEPass());
    return run(passes);
  };
  auto runOnce = [&] {
    PassManager passes(module.getContext());
    addLowering(passes, options);
    return run(passes);
  };
  if (failed(removeUnused()))
    return llvm::createStringError("lowering failed");
  llvm::StringMap<std::string> loweredNames = renameFunctions(*copy);
  if (failed(compileContext ? run(compileContext->getPasses(options))
                            : runOnce()))
    return llvm::createStringError("lowering failed");

  LoweredModule result;
  result.module = translateModuleToLLVMIR(*copy, context);
  if (!result.module)
    return llvm::createStringError("translation to LLVM IR failed");
  for (const EntryPoint &entry : entries) {
    llvm::Expected<llvm::Function *> function =
        getLoweredEntry(*result.module, entry, loweredNames.lookup(entry.name));
    if (!function)
      return function.takeError();
    result.entries.push_back(*function);
  }
  internalize(*result.module);
  return std::move(result);
}

/// Returns the passes for level 1 to 3, in the syntax of `opt -passes`.
///
/// LLVM's own pipelines take two to three times as long, and gain nothing
/// because our lowerings emit vector code already. In loops of other code, this
/// list vectorizes more often than -O3 does (docs/Internals/Rationale.md). The
/// coroutine passes are there because a module may contain coroutines from
/// upstream's async dialect.
///
/// Loop idiom recognition is left out. LLVM 22 looks for CRC computations in
/// loops of 8 or more iterations. The time for this is exponential in the
/// length of a chain of selects, such as the unrolled maximum of 30 columns
/// (llvm/llvm-project#211711).
static std::string getPasses(unsigned level) {
  return (llvm::Twine("coro-early,function(sroa,early-cse<memssa>,"
                      "simplifycfg,tailcallelim),"
                      "cgscc(inline,coro-split),coro-cleanup,globaldce,"
                      "function(instcombine<no-verify-fixpoint>,"
                      "loop-mssa(loop-rotate,licm),keep-large-loops,"
                      "loop(loop-deletion,loop-unroll-full),"
                      "simplifycfg,gvn<no-load-pre;no-memdep>,") +
          (level >= 2 ? "loop-vectorize," : "") + "loop-unroll<O" +
          llvm::Twine(level) + ">,early-cse,simplifycfg)")
      .str();
}

llvm::Error mlir::pool::optimize(llvm::Module &module, unsigned level,
                                 llvm::TargetMachine &target) {
  llvm::PassBuilder builder(&target);
  builder.registerPipelineParsingCallback(
      [](StringRef name, llvm::FunctionPassManager &passes,
         ArrayRef<llvm::PassBuilder::PipelineElement>) {
        if (name != "keep-large-loops")
          return false;
        passes.addPass(KeepLargeLoops());
        return true;
      });
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  if (level == 0) {
    passes = builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
  } else if (llvm::Error error =
                 builder.parsePassPipeline(passes, getPasses(level))) {
    return error;
  }
  passes.run(module, modules);
  storeOnlyLanes(module);
  return llvm::Error::success();
}
