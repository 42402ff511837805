// Builds the module that computes a layer.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CAPI_LAYER_LAYERMODULE_H
#define POOL_LIB_CAPI_LAYER_LAYERMODULE_H

#include "LayerSpec.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::pool::capi {

/// Main function of a layer's module. Arguments, in order: the input, indices
/// (UnMax), the bias (f32 or f64, if any), and an output with gaps. Result: an
/// output without gaps.
///
/// An image without gaps is `tensor<1xAxBxCxT>` in the order of its layout. An
/// image with gaps is a flat `tensor<NxT>` that includes the gaps. Exception:
/// an input that is the beginning of a larger packed image, as with a row
/// pitch, is the tensor of that larger image.
constexpr llvm::StringLiteral kApply = "apply";
/// Function that also returns indices, as its last result. It exists only if
/// the layer can give indices.
constexpr llvm::StringLiteral kApplyWithIndices = "apply_with_indices";

/// Builds and verifies the module. On failure it is null and the errors are
/// sent to the context's diagnostic handler.
OwningOpRef<ModuleOp> createLayerModule(MLIRContext &context,
                                        const LayerSpec &spec);

} // namespace mlir::pool::capi

#endif // POOL_LIB_CAPI_LAYER_LAYERMODULE_H
