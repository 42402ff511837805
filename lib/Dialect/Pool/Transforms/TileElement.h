// Builds finishes in the bodies of elementwise linalg ops over a tile.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_DIALECT_POOL_TRANSFORMS_TILEELEMENT_H
#define POOL_LIB_DIALECT_POOL_TRANSFORMS_TILEELEMENT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "pool/Dialect/Pool/Transforms/Finish.h"

namespace mlir::pool {

/// Builds one element in the body of a linalg op. The op computes the tile at
/// `offsets`, or the whole output if `offsets` is empty. getCoordinate() always
/// returns coordinates in the whole output.
class TileElement : public ResultBuilder {
public:
  TileElement(const OpBuilder &b, Location loc, ArrayRef<OpFoldResult> offsets)
      : ResultBuilder(b, loc), offsets(offsets) {}

  Value getCoordinate(unsigned d) override;

private:
  ArrayRef<OpFoldResult> offsets;
};

/// Creates an elementwise linalg op that applies `finish` to the tensor
/// `reduced`, one result of the reduction. Appends the op to `ops` and returns
/// its result. If there is nothing to compute, creates nothing and returns
/// `reduced`. `offsets` and `sizes` say which tile of the output `reduced` is;
/// `offsets` is empty for the whole output.
Value applyFinish(OpBuilder &b, Location loc, const Finish &finish,
                  Value reduced, ArrayRef<OpFoldResult> offsets,
                  ArrayRef<OpFoldResult> sizes,
                  SmallVectorImpl<Operation *> &ops);

} // namespace mlir::pool

#endif // POOL_LIB_DIALECT_POOL_TRANSFORMS_TILEELEMENT_H
