// Generates machine code from optimized LLVM IR.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_EXECUTIONENGINE_CODEGENERATION_H
#define POOL_LIB_EXECUTIONENGINE_CODEGENERATION_H

#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

namespace mlir::pool {

/// Writes the machine code of `module` to `os`, as an object file or as
/// assembly. Changes `module`. Fails if LLVM has no such files for `target`.
/// Prevents a known crash of LLVM 22 on x86.
llvm::Error generateCode(llvm::Module &module, llvm::TargetMachine &target,
                         llvm::CodeGenFileType fileType,
                         llvm::raw_pwrite_stream &os);

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_CODEGENERATION_H
