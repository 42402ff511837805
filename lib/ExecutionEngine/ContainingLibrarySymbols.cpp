// Lets compiled code use symbols of the library that contains this code, and of
// that library's dependencies.
//
// Compiled code calls functions of libm, and functions of libgcc_s for
// operations that the processor does not have. If this code is in the program
// itself, their symbols are global. If it is in a library that was loaded at
// run time, such as a Python module, their symbols are local to that library,
// and a search of the process's symbols does not find them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JIT.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"

#include <dlfcn.h>

using namespace mlir;

namespace {
class ContainingLibrarySymbols : public llvm::orc::DefinitionGenerator {
public:
  llvm::Error tryToGenerate(llvm::orc::LookupState &, llvm::orc::LookupKind,
                            llvm::orc::JITDylib &dylib,
                            llvm::orc::JITDylibLookupFlags,
                            const llvm::orc::SymbolLookupSet &names) override;
};
} // namespace

/// Returns the handle of the shared library that contains this code. Returns
/// null if the program itself contains it.
static void *getOwnLibrary() {
  // Do not close the handle, because compiled code needs the library until the
  // process ends.
  static void *const library = []() -> void * {
    Dl_info info;
    if (!dladdr(reinterpret_cast<void *>(&getOwnLibrary), &info))
      return nullptr;
    return dlopen(info.dli_fname, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  }();
  return library;
}

llvm::Error ContainingLibrarySymbols::tryToGenerate(
    llvm::orc::LookupState &, llvm::orc::LookupKind, llvm::orc::JITDylib &dylib,
    llvm::orc::JITDylibLookupFlags, const llvm::orc::SymbolLookupSet &names) {
  void *library = getOwnLibrary();
  if (!library)
    return llvm::Error::success();
  llvm::orc::SymbolMap symbols;
  for (auto &[name, flags] : names)
    if (void *address = dlsym(library, (*name).str().c_str()))
      symbols[name] = {llvm::orc::ExecutorAddr::fromPtr(address),
                       llvm::JITSymbolFlags::Exported};
  if (symbols.empty())
    return llvm::Error::success();
  return dylib.define(llvm::orc::absoluteSymbols(std::move(symbols)));
}

std::unique_ptr<llvm::orc::DefinitionGenerator>
mlir::pool::createContainingLibrarySymbols() {
  return std::make_unique<ContainingLibrarySymbols>();
}
