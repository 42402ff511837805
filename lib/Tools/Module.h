// Reads the modules of the tools that compile.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_TOOLS_MODULE_H
#define POOL_LIB_TOOLS_MODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::pool {

/// Parses the module in `sources`. An error about an unknown dialect gets a
/// note that lists the dialects that are lowered, and the ways to import
/// models.
OwningOpRef<ModuleOp> parseModule(llvm::SourceMgr &sources,
                                  MLIRContext *context);

} // namespace mlir::pool

#endif // POOL_LIB_TOOLS_MODULE_H
