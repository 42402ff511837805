// Imports modules of StableHLO in generic text, as JAX prints them, in two
// steps. raiseStablehlo() raises pooling. jaxlib's pass
// stablehlo-legalize-to-linalg lowers the operations around it.
// importLegalized() reads the result.
//
// Imports TOSA, as a converter of TFLite models prints it, in one step.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_IMPORT_STABLEHLO_STABLEHLO_H
#define POOL_IMPORT_STABLEHLO_STABLEHLO_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mlir::pool {

struct StablehloImportOptions {
  /// True: a function for each pool, and nothing of the other operations.
  /// False: the module's public functions, or @main alone if there is one.
  /// Every operation of these must be known.
  bool poolLayers = false;
};

/// Reads a module from generic text and raises its pooling. With
/// `options.poolLayers`, all operations of the result are registered. Without,
/// jaxlib can lower each unregistered one. Requires a `context` that allows
/// unregistered dialects. Returns null after an error, a diagnostic of
/// `context`.
OwningOpRef<ModuleOp>
raiseStablehlo(llvm::MemoryBufferRef text, MLIRContext *context,
               const StablehloImportOptions &options = {});

/// Reads a result of raiseStablehlo() after jaxlib has lowered it to linalg.
/// All operations of the module are registered. Requirements and errors are as
/// for raiseStablehlo().
OwningOpRef<ModuleOp> importLegalized(llvm::MemoryBufferRef text,
                                      MLIRContext *context);

/// Reads a module of TOSA and pool operations, inlines the functions that @main
/// calls, raises pooling, and lowers the rest to linalg. Requirements and
/// errors are as for raiseStablehlo().
OwningOpRef<ModuleOp> importTosa(llvm::MemoryBufferRef text,
                                 MLIRContext *context);

} // namespace mlir::pool

#endif // POOL_IMPORT_STABLEHLO_STABLEHLO_H
