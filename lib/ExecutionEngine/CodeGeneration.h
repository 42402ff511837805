// From optimised LLVM IR to machine code.
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

/// Writes the machine code of `module` to `os`, as an object file or assembly,
/// and changes the module on the way. Fails where `target` has no such files.
/// The stages are LLVM's own and a repair between two of them, which no option
/// of the process turns on or off.
llvm::Error generateCode(llvm::Module &module, llvm::TargetMachine &target,
                         llvm::CodeGenFileType fileType,
                         llvm::raw_pwrite_stream &os);

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_CODEGENERATION_H
