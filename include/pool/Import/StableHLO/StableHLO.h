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

#include <functional>

namespace mlir::pool {

struct StablehloImportOptions {
  /// If true, the result has one function for each pooling operation, and no
  /// other operations; a module without pooling is an error. If false, it has
  /// the public functions of the module, or only @main if that is one of them.
  /// Each operation in these functions must be known.
  bool poolLayers = false;
  /// The caller's name of the option `poolLayers`, for messages.
  StringRef poolLayersName = "poolLayers";
  /// Called for each `stablehlo.custom_call`: replaces it by operations of the
  /// pool dialect, or leaves it and succeeds. If it fails, it has emitted a
  /// diagnostic. May be empty.
  std::function<LogicalResult(Operation *)> raiseCall;
};

/// Reads a module from generic text and raises its pooling. With
/// `options.poolLayers`, all operations of the result are registered.
/// Otherwise, the unregistered operations are StableHLO and CHLO operations
/// that jaxlib can lower. Requires that `context` allows unregistered dialects.
/// On failure, emits a diagnostic to `context` and returns null.
OwningOpRef<ModuleOp>
raiseStablehlo(llvm::MemoryBufferRef text, MLIRContext *context,
               const StablehloImportOptions &options = {});

/// Reads a result of raiseStablehlo() after jaxlib has lowered it to linalg.
/// Lowers the operations that jaxlib left beside linalg, and fuses elementwise
/// operations. All operations of the returned module are registered.
/// Requirements and errors are as for raiseStablehlo().
OwningOpRef<ModuleOp> importLegalized(llvm::MemoryBufferRef text,
                                      MLIRContext *context);

/// Reads a module with TOSA operations, inlines all calls, raises pooling, and
/// lowers the rest to linalg. Keeps the functions that raiseStablehlo() keeps
/// without `poolLayers`. Requirements and errors are as for raiseStablehlo().
OwningOpRef<ModuleOp> importTosa(llvm::MemoryBufferRef text,
                                 MLIRContext *context);

} // namespace mlir::pool

#endif // POOL_IMPORT_STABLEHLO_STABLEHLO_H
