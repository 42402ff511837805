// Symbols of the library that contains this code, and of its dependencies, for
// compiled code.
//
// Compiled code calls functions of libm, and of the compiler's run-time library
// (libgcc_s) for instructions that the processor lacks. If a program contains
// this code, these symbols are global. If a library contains it and is loaded
// at run time, such as a module of Python, the symbols are local to that
// library. Then a search of the process's symbols does not find them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_EXECUTIONENGINE_OWNLIBRARIES_H
#define POOL_LIB_EXECUTIONENGINE_OWNLIBRARIES_H

#include "llvm/ExecutionEngine/Orc/Core.h"

#include <memory>

namespace mlir::pool {

/// Finds symbols in the shared library that contains this code and in its
/// dependencies. Finds none if the program itself contains this code.
std::unique_ptr<llvm::orc::DefinitionGenerator> createOwnLibrariesGenerator();

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_OWNLIBRARIES_H
