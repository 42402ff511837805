// Builds elementwise operations on tensors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/Elementwise.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pool;

linalg::GenericOp pool::createElementwise(OpBuilder &b, Location loc,
                                          ValueRange inputs, Value init,
                                          MapFn body,
                                          ArrayRef<AffineMap> maps) {
  int64_t rank = cast<RankedTensorType>(init.getType()).getRank();
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> allMaps(maps);
  allMaps.resize(maps.empty() ? inputs.size() + 1 : maps.size() + 1, identity);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      b, loc, init.getType(), inputs, init, allMaps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        linalg::YieldOp::create(b, loc, body(b, loc, args.drop_back()));
      });
}

linalg::GenericOp pool::createElementwise(OpBuilder &b, Location loc,
                                          ValueRange inputs,
                                          ArrayRef<OpFoldResult> shape,
                                          Type elementType, MapFn body,
                                          ArrayRef<AffineMap> maps) {
  Value init = tensor::EmptyOp::create(b, loc, shape, elementType);
  return createElementwise(b, loc, inputs, init, body, maps);
}
