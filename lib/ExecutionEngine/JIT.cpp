// Compiles a module in the llvm dialect with LLVM's JIT.
//
// Own code and not mlir::ExecutionEngine, because that one wraps every function
// of a module, keeps all of them visible, which costs inlining and compile
// time, and prints linker errors instead of returning them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JIT.h"

#include "CallContext.h"

#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::pool;

/// Of the functions that can be looked up.
static constexpr StringRef kPrefix = "pool.packed.";

static std::string getPackedName(StringRef name) {
  return (kPrefix + name).str();
}

/// The number of parameters that LLVM gives a value.
static unsigned getNumParameters(const ValueSpec &spec) {
  // Two pointers, an offset, extents and strides.
  return spec.isTensor ? 3 + 2 * spec.shape.size() : 1;
}

/// Adds `void pool.packed.NAME(void **)`, which loads each parameter of the
/// entry from its pointer, calls it, and stores what it returns through the
/// pointers that follow. Tells LLVM that result buffers overlap nothing.
static llvm::Error addPackedFunction(llvm::Module &module, const Entry &entry) {
  llvm::Function *callee = module.getFunction(entry.name);
  unsigned numParameters = 0, numReturned = 0;
  SmallVector<unsigned> resultBuffers;
  for (const ValueSpec &spec : entry.signature.arguments)
    numParameters += getNumParameters(spec);
  for (const ValueSpec &spec : entry.signature.results) {
    if (spec.isTensor && spec.hasStaticShape()) {
      // Elements are reached through the second, aligned pointer.
      resultBuffers.push_back(numParameters + 1);
      numParameters += getNumParameters(spec);
    } else {
      ++numReturned;
    }
  }
  if (!callee || callee->isDeclaration() ||
      callee->arg_size() != numParameters ||
      callee->getReturnType()->isVoidTy() != (numReturned == 0))
    return llvm::createStringError(
        "'" + entry.name +
        "' was not lowered to MLIR's default calling convention");

  for (unsigned i : resultBuffers)
    callee->getArg(i)->addAttr(llvm::Attribute::NoAlias);

  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> b(context);
  auto *type = llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()},
                                       /*isVarArg=*/false);
  auto *packed = llvm::Function::Create(type, llvm::Function::ExternalLinkage,
                                        getPackedName(entry.name), module);
  b.SetInsertPoint(llvm::BasicBlock::Create(context, "", packed));
  unsigned next = 0;
  auto getPointer = [&] {
    llvm::Value *slot =
        b.CreateConstGEP1_32(b.getPtrTy(), packed->getArg(0), next++);
    return b.CreateLoad(b.getPtrTy(), slot);
  };
  // Scalars are the caller's, whose alignment nothing promises.
  SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &parameter : callee->args())
    arguments.push_back(
        b.CreateAlignedLoad(parameter.getType(), getPointer(), llvm::Align(1)));
  llvm::CallInst *call = b.CreateCall(callee, arguments);
  if (numReturned == 1)
    b.CreateAlignedStore(call, getPointer(), llvm::Align(1));
  else
    for (unsigned i = 0; i < numReturned; ++i)
      b.CreateAlignedStore(b.CreateExtractValue(call, i), getPointer(),
                           llvm::Align(1));
  b.CreateRetVoid();
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Program::JIT>>
Program::JIT::compile(ModuleOp module, const llvm::StringMap<Entry> &entries,
                      unsigned optLevel) {
  static const bool initialized = [] {
    return !llvm::InitializeNativeTarget() &&
           !llvm::InitializeNativeTargetAsmPrinter();
  }();
  if (!initialized)
    return llvm::createStringError("this machine is no target of LLVM");

  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, *context);
  if (!llvmModule)
    return llvm::createStringError("translation to LLVM IR failed");

  for (auto &it : entries)
    if (llvm::Error error = addPackedFunction(*llvmModule, it.second))
      return std::move(error);
  // Nothing else is called from outside, so that LLVM may inline and drop
  // whatever it likes. Renamed, for LLVM would take a function that is called
  // like one of C's for that.
  for (llvm::Function &function : *llvmModule)
    if (!function.isDeclaration() && !function.getName().starts_with(kPrefix)) {
      function.setLinkage(llvm::Function::InternalLinkage);
      function.setName("pool.function." + function.getName());
    }

  llvm::Expected<llvm::orc::JITTargetMachineBuilder> host =
      llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return host.takeError();
  host->setCodeGenOptLevel(static_cast<llvm::CodeGenOptLevel>(optLevel));
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> target =
      host->createTargetMachine();
  if (!target)
    return target.takeError();
  llvmModule->setDataLayout((*target)->createDataLayout());
  llvmModule->setTargetTriple((*target)->getTargetTriple());
  auto optimize =
      makeOptimizingTransformer(optLevel, /*sizeLevel=*/0, target->get());
  if (llvm::Error error = optimize(llvmModule.get()))
    return std::move(error);

  auto lljit = llvm::orc::LLJITBuilder()
                   .setJITTargetMachineBuilder(std::move(*host))
                   .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                   .create();
  if (!lljit)
    return lljit.takeError();
  auto jit = std::unique_ptr<JIT>(new JIT());
  jit->lljit = std::move(*lljit);
  if (llvm::Error error = jit->addRuntime())
    return std::move(error);
  if (llvm::Error error = jit->lljit->addIRModule(llvm::orc::ThreadSafeModule(
          std::move(llvmModule), std::move(context))))
    return std::move(error);
  return std::move(jit);
}

llvm::Error Program::JIT::addRuntime() {
  llvm::orc::ExecutionSession &session = lljit->getExecutionSession();
  session.setErrorReporter([this](llvm::Error error) {
    if (!sessionErrors.empty())
      sessionErrors += "; ";
    sessionErrors += llvm::toString(std::move(error));
  });
  // Before the symbols of the process, and behind the module's own.
  llvm::orc::JITDylib &runtime = session.createBareJITDylib("pool.runtime");
  llvm::orc::MangleAndInterner interner(session, lljit->getDataLayout());
  if (llvm::Error error = runtime.define(
          llvm::orc::absoluteSymbols(getRuntimeSymbols(interner))))
    return error;
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
