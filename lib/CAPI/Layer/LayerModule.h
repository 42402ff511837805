// Builds the module that computes a layer.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CAPI_LAYER_LAYERMODULE_H
#define POOL_LIB_CAPI_LAYER_LAYERMODULE_H

#include "LayerSpec.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::pool::capi {

/// Name of the main function of a layer's module. Its arguments are, in order:
/// the input, the indices (only for UnMax), the bias in f32 or f64 (if there is
/// one), and the output if it has gaps. An output without gaps is its result.
///
/// An image without gaps is a `tensor<1xAxBxCxT>` in the order of its layout.
/// An image with gaps is a `tensor<NxT>` that includes the gaps. Exception: if
/// an input is the beginning of a larger image without gaps, as with a row
/// pitch, the argument is the tensor of that larger image.
constexpr llvm::StringLiteral kApply = "apply";
/// Name of a function that also returns indices, as its last result. It exists
/// only if LayerSpec::canGiveIndices() is true.
constexpr llvm::StringLiteral kApplyWithIndices = "apply_with_indices";

/// Builds and verifies the module of a layer. If it fails, returns null and
/// reports errors to the diagnostic handler of `context`.
OwningOpRef<ModuleOp> createLayerModule(MLIRContext &context,
                                        const LayerSpec &spec);

} // namespace mlir::pool::capi

#endif // POOL_LIB_CAPI_LAYER_LAYERMODULE_H
