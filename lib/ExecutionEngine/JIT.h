// Makes machine code of a module, in this process.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_EXECUTIONENGINE_JIT_H
#define POOL_LIB_EXECUTIONENGINE_JIT_H

#include "Lowering.h"
#include "pool/ExecutionEngine/Program.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace mlir::pool {

/// The calling thread's machine for the processor and the level of `options`.
/// Fails where this machine is none of that kind.
llvm::Expected<llvm::TargetMachine *>
getTargetMachine(const CompileOptions &options);

/// Compiles a copy of `module` for `target`. The object has one visible
/// function for each entry, which takes pointers to all arguments and results.
/// The passes are those of `compileContext`, if there is one.
/// The stages are added to `times`.
llvm::Expected<SmallVector<char, 0>>
compileToObject(ModuleOp module, ArrayRef<EntryPoint> entries,
                const PoolToLLVMOptions &options, unsigned optLevel,
                llvm::TargetMachine &target, CompileContext *compileContext,
                CompileTimes &times);

/// Machine code and what it was linked with.
class Program::JIT {
public:
  /// Links what `compileToObject` made, with OpenMP's library if it
  /// `hasThreads`.
  static llvm::Expected<std::unique_ptr<JIT>> link(StringRef object,
                                                   bool hasThreads);

  /// The function for entry `name`.
  llvm::Expected<void (*)(void **)> lookup(StringRef name);

private:
  /// Links the code with `symbols` before those of the process.
  llvm::Error addRuntime(llvm::orc::SymbolMap symbols);

  std::unique_ptr<llvm::orc::LLJIT> lljit;
  /// Errors that the session reported and did not return.
  std::string sessionErrors;
};

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_JIT_H
