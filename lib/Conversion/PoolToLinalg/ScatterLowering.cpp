// Loops that write into a tensor at positions given by an index or a window.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScatterLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"

using namespace mlir;
using namespace mlir::pool;

Value pool::createZeros(OpBuilder &b, Location loc,
                        ArrayRef<OpFoldResult> shape, Type elementType) {
  Value zero = arith::ConstantOp::create(
      b, loc, cast<TypedAttr>(b.getZeroAttr(getSignless(elementType))));
  zero = castFromSignless(b, loc, zero, elementType);
  Value empty = tensor::EmptyOp::create(b, loc, shape, elementType);
  return linalg::FillOp::create(b, loc, zero, empty).getResult(0);
}

Value pool::createLoops(OpBuilder &b, Location loc,
                        ArrayRef<OpFoldResult> lower,
                        ArrayRef<OpFoldResult> upper, Value target,
                        ScatterBodyFn body) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  SmallVector<Value> begins(upper.size(), zero), steps(upper.size(), one);
  if (!lower.empty())
    begins = getValueOrCreateConstantIndexOp(b, loc, lower);
  return scf::buildLoopNest(b, loc, begins,
                            getValueOrCreateConstantIndexOp(b, loc, upper),
                            steps, target,
                            [&](OpBuilder &b, Location loc, ValueRange position,
                                ValueRange carried) -> scf::ValueVector {
                              return {body(b, loc, position, carried[0])};
                            })
      .results[0];
}

Value pool::addToElement(OpBuilder &b, Location loc, Value target,
                         ValueRange position, Value addend) {
  Value element = tensor::ExtractOp::create(b, loc, target, position);
  element = arith::AddFOp::create(b, loc, element, addend);
  return tensor::InsertOp::create(b, loc, element, target, position);
}

IndexedPositions::IndexedPositions(OpBuilder &b, Location loc, int64_t axis,
                                   ArrayRef<OpFoldResult> shape)
    : axis(axis),
      extents(getValueOrCreateConstantIndexOp(b, loc, shape.drop_front(axis))) {
  bound = extents.front();
  for (Value extent : llvm::drop_begin(extents))
    bound = b.createOrFold<arith::MulIOp>(loc, bound, extent);
}

Value IndexedPositions::writeAtIndex(OpBuilder &b, Location loc, Value target,
                                     ValueRange position, Value index,
                                     Value condition, WriteFn write) {
  // Compared as unsigned, a negative index is too large. So one comparison
  // checks both ends.
  Value flat = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
  Value inside =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, flat, bound);
  if (condition)
    inside = arith::AndIOp::create(b, loc, inside, condition);
  auto guarded = scf::IfOp::create(
      b, loc, inside,
      [&](OpBuilder &b, Location loc) {
        SmallVector<Value> place(position.take_front(axis));
        place.resize(position.size());
        Value rest = flat;
        for (size_t d = position.size() - 1; d > static_cast<size_t>(axis);
             --d) {
          Value extent = extents[d - axis];
          place[d] = arith::RemUIOp::create(b, loc, rest, extent);
          rest = arith::DivUIOp::create(b, loc, rest, extent);
        }
        place[axis] = rest;
        scf::YieldOp::create(b, loc, write(b, loc, target, place));
      },
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, target);
      });
  return guarded.getResult(0);
}
