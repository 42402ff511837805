// Lowering for this process and for others alike: the entries of a module, and
// the way from it to LLVM IR that is called by them alone.
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

/// A function to compile, by what it was before it was lowered.
struct EntryPoint {
  std::string name;
  Signature signature;
  /// The type as MLIR writes it, for people.
  std::string type;
};

/// The public functions that `names` names, or all of them if it is empty.
llvm::Expected<std::vector<EntryPoint>>
getEntryPoints(ModuleOp module, ArrayRef<std::string> names);

/// Makes all functions private but those that `names` names.
void keepPublic(ModuleOp module, ArrayRef<std::string> names);

/// Adds the removal of functions that no public one uses, and `pool-to-llvm`.
void addLowering(PassManager &passes, const PoolToLLVMOptions &options);

/// Lowers a copy of `module` by these passes and translates it. What `entries`
/// do not use is not there. The passes are those of `compileContext`, if there
/// is one, which the module is in.
llvm::Expected<std::unique_ptr<llvm::Module>>
lowerToLLVM(ModuleOp module, ArrayRef<EntryPoint> entries,
            const PoolToLLVMOptions &options, llvm::LLVMContext &context,
            CompileContext *compileContext = nullptr);

/// The number of parameters that a lowered function has for a value.
unsigned getNumParameters(const ValueSpec &spec);

/// True if the caller passes the buffer of a result.
bool isOutParam(const ValueSpec &spec);

/// The functions that `entries` were lowered to, in their order. Tells LLVM
/// that the buffers of results overlap nothing, and makes every function
/// internal, so that it may inline and drop whatever it likes: who wants to
/// call an entry adds a caller.
llvm::Expected<std::vector<llvm::Function *>>
takeLoweredEntries(llvm::Module &module, ArrayRef<EntryPoint> entries);

/// Runs LLVM's passes of -O`level` for `target`.
llvm::Error optimize(llvm::Module &module, unsigned level,
                     llvm::TargetMachine &target);

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_LOWERING_H
