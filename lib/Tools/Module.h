// Reads the modules of the tools that compile.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_TOOLS_MODULE_H
#define POOL_LIB_TOOLS_MODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace mlir::pool {

enum ExitCode { kSuccess = 0, kFailure = 1, kUsage = 2 };

/// Prints an error of `tool`, and returns `code`.
ExitCode fail(StringRef tool, const Twine &message, ExitCode code = kFailure);

/// A module, and what its errors need.
struct ModuleFile {
  /// Parses the module in the file `path`. After an error, prints it, and the
  /// module is null. An error about an unknown dialect gets a note that lists
  /// the dialects that are lowered, and the ways to import models.
  ModuleFile(StringRef tool, StringRef path);

  MLIRContext context;
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
};

} // namespace mlir::pool

#endif // POOL_LIB_TOOLS_MODULE_H
