// Machines to compile for, by the names that LLVM's tools give them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_EXECUTIONENGINE_TARGETMACHINE_H
#define POOL_LIB_EXECUTIONENGINE_TARGETMACHINE_H

#include "pool/ExecutionEngine/Library.h"

#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace mlir::pool {

/// The machine that `options` names, for position-independent code. Fails on
/// names that LLVM does not know, where its own tools would warn, and on
/// machines that have no C program with 64-bit addresses.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const LibraryOptions &options);

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_TARGETMACHINE_H
