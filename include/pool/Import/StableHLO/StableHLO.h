// Modules of StableHLO in generic text, as JAX prints them, to the pool
// dialect.
//
// The importer reads whole modules of pooling and elementwise operations, or
// only the pools of any module. docs/Guides/UseInJAX.md lists the known
// operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_IMPORT_STABLEHLO_STABLEHLO_H
#define POOL_IMPORT_STABLEHLO_STABLEHLO_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mlir::pool {

struct StablehloImportOptions {
  /// True: a function for each pool; other operations are ignored. False: the
  /// module's public functions, or only @main if there is one; every operation
  /// must be known.
  bool poolLayers = false;
};

/// Adds the dialects that imported modules use.
void registerStablehloDialects(DialectRegistry &registry);

/// Reads a module from generic text. Requires a `context` that allows
/// unregistered dialects. Returns null after an error, a diagnostic of
/// `context`. The module has only operations of registered dialects.
OwningOpRef<ModuleOp>
importStablehlo(llvm::MemoryBufferRef text, MLIRContext *context,
                const StablehloImportOptions &options = {});

} // namespace mlir::pool

#endif // POOL_IMPORT_STABLEHLO_STABLEHLO_H
