// Parses the input modules of pool-compile and pool-run.
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

/// Prints `message` as an error of the tool `tool`, and returns `code`.
ExitCode fail(StringRef tool, const Twine &message, ExitCode code = kFailure);

/// A parsed module, with its context and the sources that its errors refer to.
struct ModuleFile {
  /// Parses the module in the file `path`. If that fails, prints an error and
  /// sets `module` to null. An error about an unknown dialect gets a note that
  /// says which dialects are lowered and how to import models.
  ModuleFile(StringRef tool, StringRef path);

  MLIRContext context;
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
};

} // namespace mlir::pool

#endif // POOL_LIB_TOOLS_MODULE_H
