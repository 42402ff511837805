// Lowers the entries of a module to LLVM IR. Both Program and Library use this.
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

/// All options on which the code of an entry depends. The key of code in the
/// cache contains them as text (ProgramImage.h), so each new option changes the
/// key.
struct CodeOptions : public PoolToLLVMOptions {
  /// Has the defaults of `pool-to-llvm`, except for the calling convention that
  /// Program and Library need.
  CodeOptions();
  /// Copies those members of `options` on which code depends.
  explicit CodeOptions(const CompileOptions &options);

  PassOptions::Option<unsigned> optLevel{
      *this, "opt-level",
      llvm::cl::desc("0 to 3, for LLVM's optimisations and code generation"),
      llvm::cl::init(3)};
};

/// A function to compile, described before it is lowered.
struct EntryPoint {
  std::string name;
  Signature signature;
  /// The function's type as MLIR prints it, for messages.
  std::string type;
};

/// Returns the public functions with `names`, without duplicates. If `names` is
/// empty, returns all public functions with a body. Fails if there is no such
/// function, or if no array can hold an argument or result.
llvm::Expected<std::vector<EntryPoint>>
getEntryPoints(ModuleOp module, ArrayRef<std::string> names);

/// Makes private every function with a body whose name is not in `names`.
void keepPublic(ModuleOp module, ArrayRef<std::string> names);

/// Adds the passes of `pool-to-llvm`. Verifies the IR between passes only in
/// builds with assertions.
void addLowering(PassManager &passes, const PoolToLLVMOptions &options);

/// A module in LLVM IR, and its entries.
struct LoweredModule {
  std::unique_ptr<llvm::Module> module;
  /// The function to which each entry was lowered, in the order of the entries.
  std::vector<llvm::Function *> entries;
};

/// Lowers a copy of `module` and translates it to LLVM IR, without the
/// functions that `entries` do not use. If `compileContext` is given, uses its
/// pass manager; it must own the MLIR context of `module`. All functions become
/// internal, so that LLVM may inline and remove them. To call an entry from
/// outside, add a function that calls it (CInterface.h).
llvm::Expected<LoweredModule>
lowerToLLVM(ModuleOp module, ArrayRef<EntryPoint> entries,
            const PoolToLLVMOptions &options, llvm::LLVMContext &context,
            CompileContext *compileContext = nullptr);

/// Optimizes `module` for `target` at level 0 to 3, with a selection of LLVM's
/// passes.
llvm::Error optimize(llvm::Module &module, unsigned level,
                     llvm::TargetMachine &target);

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_LOWERING_H
