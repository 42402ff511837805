// Symbols of the library that this code is in and of its dependencies, for
// compiled code.
//
// The processor's missing instructions are functions of the compiler's run-time
// library (libgcc_s), others come from libm. A program has both for all to see;
// a module that somebody loads, like Python's, has them for itself alone, and
// code compiled in it does not find them among the symbols of the process.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_EXECUTIONENGINE_OWNLIBRARIES_H
#define POOL_LIB_EXECUTIONENGINE_OWNLIBRARIES_H

#include "llvm/ExecutionEngine/Orc/Core.h"

#include <memory>

namespace mlir::pool {

/// Finds symbols in the shared library that this code is in and in those that
/// it depends on; none where it is in the program itself.
std::unique_ptr<llvm::orc::DefinitionGenerator> createOwnLibrariesGenerator();

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_OWNLIBRARIES_H
