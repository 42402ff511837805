// Declares what the external models of the operations share. Each interface is
// implemented in a file or two: for windows, and for scatter operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_TRANSFORMS_MODELS_H
#define POOL_LIB_DIALECT_POOL_TRANSFORMS_MODELS_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace mlir::pool {

/// A model of TilingInterface for operations whose iteration domain is the
/// index space of their results. So the tile of a result is the tile of the
/// domain.
template <typename ModelT, typename OpT>
struct TilingModel : TilingInterface::ExternalModel<ModelT, OpT> {
  LogicalResult
  getResultTilePosition(Operation *, OpBuilder &, unsigned,
                        ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes,
                        SmallVector<OpFoldResult> &resultOffsets,
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

/// Returns `rank` parallel loops.
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

/// Each of these functions attaches the models of one interface to the
/// operations that implement it.
void attachWindowTiling(MLIRContext *context);
void attachScatterTiling(MLIRContext *context);
void attachWindowChecks(MLIRContext *context);
void attachScatterChecks(MLIRContext *context);
void attachReification(MLIRContext *context);
void attachValueBounds(MLIRContext *context);

} // namespace mlir::pool

#endif // POOL_LIB_DIALECT_POOL_TRANSFORMS_MODELS_H
