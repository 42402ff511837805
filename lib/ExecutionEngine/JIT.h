// Compiles modules to machine code and links them into this process.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_EXECUTIONENGINE_JIT_H
#define POOL_LIB_EXECUTIONENGINE_JIT_H

#include "Lowering.h"
#include "pool/ExecutionEngine/Program.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

#include <chrono>

namespace mlir::pool {

/// Measures how long each of several consecutive stages takes.
class Stopwatch {
public:
  /// Returns the seconds since the last call, or since construction.
  double lap() {
    Clock::time_point now = Clock::now();
    std::chrono::duration<double> seconds = now - last;
    last = now;
    return seconds.count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last = Clock::now();
};

/// Returns a generator that finds symbols in the shared library that contains
/// this code and in its dependencies. It finds no symbols if the program itself
/// contains this code.
std::unique_ptr<llvm::orc::DefinitionGenerator>
createContainingLibrarySymbols();

/// Returns LLVM's target machine for the processor and level of `options`. Only
/// the calling thread may use it. It lives as long as the thread. Fails if this
/// computer cannot run code for that processor.
llvm::Expected<llvm::TargetMachine *>
getTargetMachine(const CodeOptions &options);

/// Compiles a copy of `module` to an object. Its visible functions are the
/// packed functions of CInterface.h, one for each entry. Adds the time of each
/// stage to `times`. See `lowerToLLVM` for `compileContext`.
llvm::Expected<SmallVector<char, 0>>
compileToObject(ModuleOp module, ArrayRef<EntryPoint> entries,
                const CodeOptions &options, CompileContext *compileContext,
                CompileTimes &times);

/// Machine code that is linked into this process.
class Program::JIT {
public:
  /// Links an object of `compileToObject`. If `hasThreads` is true, the object
  /// needs OpenMP's library, and linking fails if it cannot be loaded.
  static llvm::Expected<std::unique_ptr<JIT>> link(StringRef object,
                                                   bool hasThreads);

  /// Returns the packed function of the entry `name`. Fails if it does not
  /// exist or if a symbol that it needs is missing.
  llvm::Expected<void (*)(void **)> lookup(StringRef name);

private:
  /// Makes the linker search `symbols` before the symbols of this process.
  llvm::Error addRuntime(llvm::orc::SymbolMap symbols);

  std::unique_ptr<llvm::orc::LLJIT> lljit;
  /// Errors that LLVM's session reported to a handler instead of returning
  /// them.
  std::string sessionErrors;
};

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_JIT_H
