// Modules of StableHLO in generic text, as JAX prints them, to the pool
// dialect.
//
// They are read whole where they are pooling and what is elementwise around it;
// of any module, the pools alone. docs/Guides/UseInJAX.md says what is known.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_IMPORT_STABLEHLO_STABLEHLO_H
#define POOL_IMPORT_STABLEHLO_STABLEHLO_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mlir::pool {

struct StablehloImportOptions {
  /// True: a function for each pool, and nothing for what else there is. False:
  /// the module's public functions, @main alone if there is one, of which every
  /// operation must be known.
  bool poolLayers = false;
};

/// Adds the dialects that imported modules use.
void registerStablehloDialects(DialectRegistry &registry);

/// Reads a module from generic text. Errors are diagnostics of `context`, which
/// must allow unregistered dialects, and give null. The module has operations
/// of registered dialects alone.
OwningOpRef<ModuleOp>
importStablehlo(llvm::MemoryBufferRef text, MLIRContext *context,
                const StablehloImportOptions &options = {});

} // namespace mlir::pool

#endif // POOL_IMPORT_STABLEHLO_STABLEHLO_H
