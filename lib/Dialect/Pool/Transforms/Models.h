// Declares what the external models of the operations share. One file has the
// models of an interface. Those of tiling are in two: one for window
// operations, one for max_unpool and the gradients.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_TRANSFORMS_MODELS_H
#define POOL_LIB_DIALECT_POOL_TRANSFORMS_MODELS_H

#include "mlir/Interfaces/TilingInterface.h"
#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// Base class of the models of TilingInterface. Requires that the iteration
/// domain of the operation is the index space of its results. So a tile of the
/// domain and the tile of each result have the same offsets and sizes.
template <typename ModelT, typename OpT>
struct TilingModel : TilingInterface::ExternalModel<ModelT, OpT> {
  LogicalResult getResultTilePosition(
      Operation *, OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
      ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
      SmallVector<OpFoldResult> &resultSizes) const {
    resultOffsets.assign(offsets.begin(), offsets.end());
    resultSizes.assign(sizes.begin(), sizes.end());
    return success();
  }

  FailureOr<TilingResult>
  generateResultTileValue(Operation *op, OpBuilder &b, unsigned resultNumber,
                          ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes) const {
    FailureOr<TilingResult> tile =
        static_cast<const ModelT *>(this)->getTiledImplementation(
            op, b, offsets, sizes);
    if (succeeded(tile))
      tile->tiledValues = {tile->tiledValues[resultNumber]};
    return tile;
  }
};

/// Returns the iterator types of `rank` parallel loops.
inline SmallVector<utils::IteratorType> getParallelLoops(int64_t rank) {
  return SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel);
}

/// Returns the ranges [0, extent) with step 1, one for each of `extents`.
SmallVector<Range> getDomainOf(OpBuilder &b, ArrayRef<OpFoldResult> extents);

/// Attaches `ModelT<OpT>` to each operation `OpT`.
template <template <typename> class ModelT, typename... OpTs>
void attachModels(MLIRContext *context) {
  (OpTs::template attachInterface<ModelT<OpTs>>(*context), ...);
}

/// Attaches `ModelT<OpT>` to each operation `OpT` that reduces windows.
template <template <typename> class ModelT>
void attachToPoolings(MLIRContext *context) {
  attachModels<ModelT, MaxPoolOp, MinPoolOp, AvgPoolOp, LpPoolOp,
               AdaptiveMaxPoolOp, AdaptiveAvgPoolOp>(context);
}

/// Attaches `ModelT<OpT>` to each operation `OpT` that writes or adds elements
/// at positions: unpooling and the gradients.
template <template <typename> class ModelT>
void attachToScatters(MLIRContext *context) {
  attachModels<ModelT, MaxUnpoolOp, MaxPoolGradOp, MinPoolGradOp,
               AvgPoolGradOp>(context);
}

/// Each of these functions attaches the models of one interface to the
/// operations that implement it.
void attachWindowTiling(MLIRContext *context);
void attachScatterTiling(MLIRContext *context);
void attachChecks(MLIRContext *context);
void attachReification(MLIRContext *context);
void attachValueBounds(MLIRContext *context);

} // namespace mlir::pool

#endif // POOL_LIB_DIALECT_POOL_TRANSFORMS_MODELS_H
