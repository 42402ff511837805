// Compiles modules into libraries for other programs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/ExecutionEngine/Library.h"

#include "CInterface.h"
#include "CodeGeneration.h"
#include "pool/Target/TargetMachine.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace mlir;
using namespace mlir::pool;

struct Library::Impl {
  /// Returns the errors that LLVM's passes reported, and clears them. LLVM's
  /// passes do not return errors but pass them to a handler.
  llvm::Error takeErrors();

  std::vector<EntryPoint> entries;
  std::vector<CFunction> functions;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::string errors;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

Library::Library(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Library::~Library() = default;

llvm::Error Library::Impl::takeErrors() {
  if (errors.empty())
    return llvm::Error::success();
  return llvm::createStringError(std::exchange(errors, ""));
}

static void takeDiagnostic(const llvm::DiagnosticInfo *info, void *errors) {
  if (info->getSeverity() != llvm::DS_Error)
    return;
  auto &text = *static_cast<std::string *>(errors);
  if (!text.empty())
    text += "; ";
  llvm::raw_string_ostream os(text);
  llvm::DiagnosticPrinterRawOStream printer(os);
  info->print(printer);
}

/// Stores the triple, the data layout, the processor and its features in
/// `module`, so that LLVM's tools compile the IR for `machine`.
static void addTargetAttributes(llvm::Module &module,
                                const llvm::TargetMachine &machine) {
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple());
  module.setPICLevel(llvm::PICLevel::BigPIC);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (!machine.getTargetCPU().empty())
      function.addFnAttr("target-cpu", machine.getTargetCPU());
    if (!machine.getTargetFeatureString().empty())
      function.addFnAttr("target-features", machine.getTargetFeatureString());
  }
}

llvm::Expected<std::unique_ptr<Library>>
Library::compile(ModuleOp module, const LibraryOptions &options) {
  auto impl = std::make_unique<Impl>();
  // Create the machine first, so that an invalid target is reported before
  // other errors.
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> machine =
      createTargetMachine(options.target, options.optLevel);
  if (!machine)
    return machine.takeError();
  impl->machine = std::move(*machine);
  llvm::Expected<std::vector<EntryPoint>> entries =
      getEntryPoints(module, options.entries);
  if (!entries)
    return entries.takeError();
  if (entries->empty())
    // findEntry reports that the module has no public function.
    return findEntry(module, "").takeError();
  impl->entries = std::move(*entries);
  llvm::Expected<std::vector<CFunction>> functions =
      getCFunctions(impl->entries, options.prefix);
  if (!functions)
    return functions.takeError();
  impl->functions = std::move(*functions);

  CodeOptions code;
  code.path = options.path;
  // Always set a triple, because without one the pipeline compiles for this
  // machine.
  code.triple = impl->machine->getTargetTriple().str();
  code.cpu = options.target.cpu;
  code.features = options.target.features;
  code.threads = options.threads;
  code.runtimeChecks = options.runtimeChecks;
  code.separateMaskedLoads = options.separateMaskedLoads;
  impl->context.setDiagnosticHandlerCallBack(takeDiagnostic, &impl->errors);
  llvm::Expected<LoweredModule> lowered =
      lowerToLLVM(module, impl->entries, code, impl->context);
  if (!lowered)
    return lowered.takeError();
  impl->module = std::move(lowered->module);
  if (llvm::Error error =
          addCFunctions(*impl->module, impl->functions, lowered->entries,
                        options.runtimeChecks))
    return std::move(error);

  addTargetAttributes(*impl->module, *impl->machine);
  if (llvm::Error error =
          optimize(*impl->module, options.optLevel, *impl->machine))
    return std::move(error);
  if (llvm::Error error = impl->takeErrors())
    return std::move(error);
  return std::unique_ptr<Library>(new Library(std::move(impl)));
}

llvm::Expected<SmallVector<char, 0>>
Library::generate(LibraryFormat format) const {
  SmallVector<char, 0> result;
  llvm::raw_svector_ostream os(result);
  if (format == LibraryFormat::LLVM) {
    impl->module->print(os, /*AAW=*/nullptr);
    return result;
  }
  // Generate code from a copy, because code generation changes the module.
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*impl->module);
  if (llvm::Error error = generateCode(
          *copy, *impl->machine,
          format == LibraryFormat::Object ? llvm::CodeGenFileType::ObjectFile
                                          : llvm::CodeGenFileType::AssemblyFile,
          os))
    return std::move(error);
  if (llvm::Error error = impl->takeErrors())
    return std::move(error);
  return result;
}

std::string Library::generateHeader(StringRef fileName) const {
  return printCHeader(impl->functions, fileName);
}
