// Makes machine code of a module, in this process.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_EXECUTIONENGINE_JIT_H
#define POOL_LIB_EXECUTIONENGINE_JIT_H

#include "Lowering.h"
#include "pool/ExecutionEngine/Program.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

namespace mlir::pool {

/// Machine code and what it was linked with.
class Program::JIT {
public:
  /// Compiles a copy of `module` for this machine. Each function that `entries`
  /// names can be looked up; only those are visible, and each is reached by one
  /// function that takes pointers to all arguments and results. All stages but
  /// the linking of looked up functions are added to `times`.
  static llvm::Expected<std::unique_ptr<JIT>>
  compile(ModuleOp module, ArrayRef<EntryPoint> entries,
          const PoolToLLVMOptions &options, unsigned optLevel,
          CompileTimes &times);

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
