// Elements of a tile, in the bodies of linalg ops over the tile.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_TRANSFORMS_TILEELEMENT_H
#define POOL_LIB_DIALECT_POOL_TRANSFORMS_TILEELEMENT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "pool/Dialect/Pool/Transforms/Finish.h"

namespace mlir::pool {

/// Builds one element in the body of a linalg op over the tile at `offsets`, or
/// over the whole output if there are none. Coordinates are those in the whole
/// output.
class TileElement : public ResultBuilder {
public:
  TileElement(const OpBuilder &b, Location loc, ArrayRef<OpFoldResult> offsets)
      : ResultBuilder(b, loc), offsets(offsets) {}

  Value getCoordinate(unsigned d) override;

private:
  ArrayRef<OpFoldResult> offsets;
};

/// Returns the elements of a result, computed by an elementwise linalg op that
/// is appended to `ops`. `reduced` are the elements of the reduction. Returns
/// these if there is nothing to compute.
Value applyFinish(OpBuilder &b, Location loc, const Finish &finish,
                  Value reduced, ArrayRef<OpFoldResult> offsets,
                  ArrayRef<OpFoldResult> sizes,
                  SmallVectorImpl<Operation *> &ops);

} // namespace mlir::pool

#endif // POOL_LIB_DIALECT_POOL_TRANSFORMS_TILEELEMENT_H
