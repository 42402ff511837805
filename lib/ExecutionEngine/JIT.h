// Makes machine code of a module, in this process.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_EXECUTIONENGINE_JIT_H
#define POOL_LIB_EXECUTIONENGINE_JIT_H

#include "Lowering.h"
#include "pool/ExecutionEngine/Program.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

#include <chrono>

namespace mlir::pool {

/// Measures the time of consecutive stages.
class Stopwatch {
public:
  /// Seconds since the last call, or since construction.
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

/// Finds symbols in the shared library that contains this code and in its
/// dependencies. Finds none if the program itself contains this code.
std::unique_ptr<llvm::orc::DefinitionGenerator>
createContainingLibrarySymbols();

/// Returns LLVM's target machine for the processor and the level of `options`.
/// The machine belongs to the calling thread. Fails if this computer cannot run
/// code for that processor.
llvm::Expected<llvm::TargetMachine *>
getTargetMachine(const CodeOptions &options);

/// Compiles a copy of `module` to an object with one visible function for each
/// entry, the packed function of CInterface.h. `lowerToLLVM` documents
/// `compileContext`. Adds the time of each stage to `times`.
llvm::Expected<SmallVector<char, 0>>
compileToObject(ModuleOp module, ArrayRef<EntryPoint> entries,
                const CodeOptions &options, CompileContext *compileContext,
                CompileTimes &times);

/// Linked machine code.
class Program::JIT {
public:
  /// Links an object of `compileToObject`, with OpenMP's library if
  /// `hasThreads`.
  static llvm::Expected<std::unique_ptr<JIT>> link(StringRef object,
                                                   bool hasThreads);

  /// Returns the packed function of entry `name`.
  llvm::Expected<void (*)(void **)> lookup(StringRef name);

private:
  /// Makes the linker search `symbols` before the symbols of the process.
  llvm::Error addRuntime(llvm::orc::SymbolMap symbols);

  std::unique_ptr<llvm::orc::LLJIT> lljit;
  /// Errors that the session reported instead of returning them.
  std::string sessionErrors;
};

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_JIT_H
