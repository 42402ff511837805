// Compiles a module to an object and links the object with LLVM's JIT.
//
// Replaces mlir::ExecutionEngine, which adds a wrapper to every function of a
// module, keeps all functions visible (so that LLVM inlines less and takes
// longer), and prints errors of the linker instead of returning them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JIT.h"

#include "CInterface.h"
#include "CallContext.h"
#include "CodeGeneration.h"
#include "OpenMP.h"
#include "pool/Target/TargetMachine.h"

#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include <map>
#include <tuple>

using namespace mlir;
using namespace mlir::pool;

/// Returns a description of the host for the JIT's linker. Queries the
/// processor only once, because that takes 0.1 ms on a virtual machine.
static llvm::Expected<llvm::orc::JITTargetMachineBuilder> getHost() {
  static std::string message;
  static const auto host =
      []() -> std::optional<llvm::orc::JITTargetMachineBuilder> {
    initializeTargets();
    llvm::Expected<llvm::orc::JITTargetMachineBuilder> detected =
        llvm::orc::JITTargetMachineBuilder::detectHost();
    if (!detected) {
      message = llvm::toString(detected.takeError());
      return std::nullopt;
    }
    detected->setRelocationModel(llvm::Reloc::PIC_);
    detected->setCodeModel(llvm::CodeModel::Small);
    return std::move(*detected);
  }();
  if (!host)
    return llvm::createStringError(message);
  return *host;
}

/// Returns a target machine for `names`. Fails if this computer cannot run its
/// code.
static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createUsableMachine(const TargetNames &names, unsigned optLevel) {
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(names, optLevel);
  bool isHost = names.cpu == "native" && names.features.empty();
  if (machine && !isHost)
    if (llvm::Error error = checkRunsHere(names, **machine))
      return std::move(error);
  return machine;
}

llvm::Expected<llvm::TargetMachine *>
mlir::pool::getTargetMachine(const CodeOptions &options) {
  // Cache the machines: making one takes longer than generating code for a
  // small function. The cache is thread-local, because threads cannot share a
  // machine.
  using Key = std::tuple<unsigned, std::string, std::string>;
  thread_local std::map<Key, std::unique_ptr<llvm::TargetMachine>> machines;
  TargetNames names;
  names.cpu = options.cpu.empty() ? "native" : options.cpu.getValue();
  names.features = options.features;
  Key key{options.optLevel, names.cpu, names.features};
  if (auto found = machines.find(key); found != machines.end())
    return found->second.get();
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> made =
      createUsableMachine(names, options.optLevel);
  if (!made)
    return made.takeError();
  return (machines[std::move(key)] = std::move(*made)).get();
}

llvm::Expected<SmallVector<char, 0>> mlir::pool::compileToObject(
    ModuleOp module, ArrayRef<EntryPoint> entries, const CodeOptions &options,
    CompileContext *compileContext, CompileTimes &times) {
  llvm::Expected<llvm::TargetMachine *> machine = getTargetMachine(options);
  if (!machine)
    return machine.takeError();
  llvm::TargetMachine &target = **machine;
  Stopwatch stopwatch;
  llvm::LLVMContext context;
  llvm::Expected<LoweredModule> lowered =
      lowerToLLVM(module, entries, options, context, compileContext);
  if (!lowered)
    return lowered.takeError();
  llvm::Module &llvmModule = *lowered->module;
  times.mlirPasses += stopwatch.lap();
  if (llvm::Error error =
          addPackedFunctions(llvmModule, entries, lowered->entries))
    return std::move(error);

  llvmModule.setDataLayout(target.createDataLayout());
  llvmModule.setTargetTriple(target.getTargetTriple());
  if (llvm::Error error = optimize(llvmModule, options.optLevel, target))
    return std::move(error);
  times.llvmPasses += stopwatch.lap();

  SmallVector<char, 0> object;
  llvm::raw_svector_ostream os(object);
  if (llvm::Error error = generateCode(llvmModule, target,
                                       llvm::CodeGenFileType::ObjectFile, os))
    return std::move(error);
  times.codeGeneration += stopwatch.lap();
  return object;
}

llvm::Expected<std::unique_ptr<Program::JIT>>
Program::JIT::link(StringRef object, bool hasThreads) {
  llvm::Expected<llvm::orc::JITTargetMachineBuilder> host = getHost();
  if (!host)
    return host.takeError();
  auto lljit = llvm::orc::LLJITBuilder()
                   .setJITTargetMachineBuilder(std::move(*host))
                   .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                   .create();
  if (!lljit)
    return lljit.takeError();
  auto jit = std::unique_ptr<JIT>(new JIT());
  jit->lljit = std::move(*lljit);
  // Copy `object` to aligned memory. The JIT owns the copy.
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      llvm::MemoryBuffer::getMemBufferCopy(object, "pool");
  llvm::orc::MangleAndInterner interner(jit->lljit->getExecutionSession(),
                                        jit->lljit->getDataLayout());
  llvm::orc::SymbolMap symbols = getRuntimeSymbols(interner);
  if (hasThreads) {
    llvm::Expected<const OpenMP *> library = OpenMP::get();
    if (!library)
      return library.takeError();
    llvm::Expected<llvm::orc::SymbolMap> used =
        (*library)->getSymbols(*buffer, interner);
    if (!used)
      return used.takeError();
    for (auto &symbol : *used)
      symbols.insert(symbol);
  }
  if (llvm::Error error = jit->addRuntime(std::move(symbols)))
    return std::move(error);
  if (llvm::Error error = jit->lljit->addObjectFile(std::move(buffer)))
    return std::move(error);
  return std::move(jit);
}

llvm::Error Program::JIT::addRuntime(llvm::orc::SymbolMap symbols) {
  llvm::orc::ExecutionSession &session = lljit->getExecutionSession();
  session.setErrorReporter([this](llvm::Error error) {
    if (!sessionErrors.empty())
      sessionErrors += "; ";
    sessionErrors += llvm::toString(std::move(error));
  });
  // The linker searches this library after the symbols of the object, and
  // before those of the process.
  llvm::orc::JITDylib &runtime = session.createBareJITDylib("pool.runtime");
  if (llvm::Error error =
          runtime.define(llvm::orc::absoluteSymbols(std::move(symbols))))
    return error;
  runtime.addGenerator(createContainingLibrarySymbols());
  llvm::orc::JITDylib &main = lljit->getMainJITDylib();
  llvm::orc::JITDylibSearchOrder order = {
      {&main, llvm::orc::JITDylibLookupFlags::MatchAllSymbols},
      {&runtime, llvm::orc::JITDylibLookupFlags::MatchExportedSymbolsOnly}};
  llvm::append_range(order, lljit->defaultLinkOrder());
  main.setLinkOrder(std::move(order), /*LinkAgainstThisJITDylibFirst=*/false);
  return llvm::Error::success();
}

llvm::Expected<void (*)(void **)> Program::JIT::lookup(StringRef name) {
  llvm::Expected<llvm::orc::ExecutorAddr> address =
      lljit->lookup(getPackedName(name));
  if (!address) {
    std::string message = llvm::toString(address.takeError());
    if (!sessionErrors.empty())
      message = sessionErrors;
    return llvm::createStringError(message);
  }
  return address->toPtr<void (*)(void **)>();
}
