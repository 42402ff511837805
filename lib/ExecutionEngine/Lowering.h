// Lowers the entries of a module to LLVM IR, for this process and for
// libraries.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_EXECUTIONENGINE_LOWERING_H
#define POOL_LIB_EXECUTIONENGINE_LOWERING_H

#include "pool/ExecutionEngine/CompileContext.h"
#include "pool/ExecutionEngine/Signature.h"
#include "pool/Pipelines/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::pool {

struct CompileOptions;

/// All options that the code of given entries depends on. The key of code on
/// disk includes their text (ProgramImage.h), so a new option changes the key.
struct CodeOptions : public PoolToLLVMOptions {
  /// The defaults of `pool-to-llvm`, with the engine's own calling convention.
  CodeOptions();
  /// Takes those members of `options` that the code depends on.
  explicit CodeOptions(const CompileOptions &options);

  PassOptions::Option<unsigned> optLevel{
      *this, "opt-level",
      llvm::cl::desc("0 to 3, for LLVM's optimisations and code generation"),
      llvm::cl::init(3)};
};

/// A function to compile, as it is before it is lowered.
struct EntryPoint {
  std::string name;
  Signature signature;
  /// The type as MLIR prints it, for messages.
  std::string type;
};

/// Returns the public functions with these names, or all public functions with
/// a body if `names` is empty.
llvm::Expected<std::vector<EntryPoint>>
getEntryPoints(ModuleOp module, ArrayRef<std::string> names);

/// Makes every function with a body private if its name is not in `names`.
void keepPublic(ModuleOp module, ArrayRef<std::string> names);

/// Adds `pool-to-llvm`, verified between passes only in a debug build.
void addLowering(PassManager &passes, const PoolToLLVMOptions &options);

/// Entries in LLVM IR.
struct LoweredModule {
  std::unique_ptr<llvm::Module> module;
  /// The function that each entry was lowered to.
  std::vector<llvm::Function *> entries;
};

/// Lowers and translates a copy of `module` without the functions that
/// `entries` do not use. If `compileContext` is given, uses its passes; then
/// `module` must be in its MLIR context. All functions become internal, so that
/// LLVM may inline and drop them. For calls from outside, add a function that
/// calls the entry (CInterface.h).
llvm::Expected<LoweredModule>
lowerToLLVM(ModuleOp module, ArrayRef<EntryPoint> entries,
            const PoolToLLVMOptions &options, llvm::LLVMContext &context,
            CompileContext *compileContext = nullptr);

/// Optimises `module` for `target` at level 0 to 3, with a selection of LLVM's
/// passes.
llvm::Error optimize(llvm::Module &module, unsigned level,
                     llvm::TargetMachine &target);

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_LOWERING_H
