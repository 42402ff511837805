// A layer as a module: what the fast pipeline compiles.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CAPI_LAYER_LAYERMODULE_H
#define POOL_LIB_CAPI_LAYER_LAYERMODULE_H

#include "LayerSpec.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::pool::capi {

/// The functions of a layer's module. Their arguments are, in order: the input,
/// indices (UnMax), the bias (f32 or f64, where there is one), and an output
/// with gaps. An output without gaps is a result, then indices.
///
/// Without gaps an image is `tensor<1xAxBxCxT>` in the order of its layout,
/// with gaps its span, `tensor<NxT>`.
constexpr llvm::StringLiteral kApply = "apply";
/// The function with indices as a second result, if the layer can give them.
constexpr llvm::StringLiteral kApplyWithIndices = "apply_with_indices";

/// Builds and verifies the module. What is wrong goes to the context's
/// diagnostic handler, and the result is null.
OwningOpRef<ModuleOp> createLayerModule(MLIRContext &context,
                                        const LayerSpec &spec);

} // namespace mlir::pool::capi

#endif // POOL_LIB_CAPI_LAYER_LAYERMODULE_H
