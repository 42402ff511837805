// Imports modules of StableHLO in generic text, as JAX prints them, in three
// steps:
//
//   1. raiseStablehlo() raises pooling.
//   2. jaxlib's pass stablehlo-legalize-to-linalg lowers the other operations.
//   3. importLegalized() reads the result.
//
// TOSA, as a converter of TFLite models prints it, takes one step:
// importTosa().
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
  /// other operations. A module without pooling is an error. If false, the
  /// result has the public functions of the module, or only @main if that is
  /// one of them. An operation in these functions that is not supported is an
  /// error.
  bool poolLayers = false;
  /// Name of the option `poolLayers` in error messages.
  StringRef poolLayersName = "poolLayers";
  /// Function that is called for each `stablehlo.custom_call`. It replaces the
  /// call by operations of the pool dialect, or leaves it, and succeeds. If it
  /// fails, it must have emitted a diagnostic. May be empty.
  std::function<LogicalResult(Operation *)> raiseCall;
};

/// Reads a module from generic text and raises its pooling. With
/// `options.poolLayers`, all operations of the result are registered.
/// Otherwise, the unregistered operations are StableHLO and CHLO operations
/// that jaxlib can lower. `context` must allow unregistered dialects. On
/// failure, emits a diagnostic to `context` and returns null.
OwningOpRef<ModuleOp>
raiseStablehlo(llvm::MemoryBufferRef text, MLIRContext *context,
               const StablehloImportOptions &options = {});

/// Reads a result of raiseStablehlo() that jaxlib has lowered to linalg. Lowers
/// the operations that jaxlib has not lowered, and fuses elementwise
/// operations. All operations of the result are registered. Requirements and
/// errors are as for raiseStablehlo().
OwningOpRef<ModuleOp> importLegalized(llvm::MemoryBufferRef text,
                                      MLIRContext *context);

/// Reads a module with TOSA operations, inlines all calls, raises pooling, and
/// lowers the rest to linalg. The result has the public functions, or only
/// @main if that is one of them. Requirements and errors are as for
/// raiseStablehlo().
OwningOpRef<ModuleOp> importTosa(llvm::MemoryBufferRef text,
                                 MLIRContext *context);

} // namespace mlir::pool

#endif // POOL_IMPORT_STABLEHLO_STABLEHLO_H
