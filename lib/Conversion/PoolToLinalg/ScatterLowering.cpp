// Loops that write into a tensor at positions given by an index or a window.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScatterLowering.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"

using namespace mlir;
using namespace mlir::pool;

Value pool::createZeros(ElementBuilder &b, ArrayRef<OpFoldResult> shape,
                        Type elementType) {
  Value zero = castFromSignless(
      b, b.getLoc(), b.splat(getSignless(elementType), 0), elementType);
  Value empty = tensor::EmptyOp::create(b, shape, elementType);
  return linalg::FillOp::create(b, zero, empty).getResult(0);
}

Value pool::createLoops(ElementBuilder &b, ArrayRef<OpFoldResult> lower,
                        ArrayRef<OpFoldResult> upper, Value target,
                        ScatterFn body) {
  SmallVector<Value> begins(upper.size(), b.index(0));
  SmallVector<Value> steps(upper.size(), b.index(1));
  if (!lower.empty())
    begins = b.value(lower);
  auto build = [&](OpBuilder &nested, Location loc, ValueRange position,
                   ValueRange carried) -> scf::ValueVector {
    ElementBuilder b(nested, loc);
    return {body(b, position, carried[0])};
  };
  return scf::buildLoopNest(b, b.getLoc(), begins, b.value(upper), steps,
                            target, build)
      .results[0];
}

Value pool::addToElement(ElementBuilder &b, ValueRange position, Value target,
                         Value addend) {
  Value element = tensor::ExtractOp::create(b, target, position);
  return tensor::InsertOp::create(b, b.addFloat(element, addend), target,
                                  position);
}

Value IndexedPositions::writeAtIndex(ElementBuilder &b, ValueRange position,
                                     Value target, Value index, Value condition,
                                     ScatterFn write) {
  // Compared as unsigned, a negative index is too large. So one comparison
  // checks both ends.
  Value flat = b.index(index);
  Value inside = b.both(b.isBelow(flat, bound), condition);
  auto guarded = scf::IfOp::create(
      b, inside,
      [&](OpBuilder &nested, Location loc) {
        ElementBuilder b(nested, loc);
        SmallVector<Value> place(position);
        Value &rest = place[axis] = flat;
        for (int64_t d = place.size() - 1; d > axis; --d) {
          place[d] = b.rem(rest, extents[d - axis]);
          rest = b.divUnsigned(rest, extents[d - axis]);
        }
        scf::YieldOp::create(b, write(b, place, target));
      },
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, target);
      });
  return guarded.getResult(0);
}
