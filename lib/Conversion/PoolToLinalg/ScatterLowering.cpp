// Creates loops that write into a tensor at positions that come from an index
// or a window.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScatterLowering.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"

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

Value pool::createScatter(ElementBuilder &b, ArrayRef<unsigned> independent,
                          ArrayRef<OpFoldResult> upper, Value target,
                          ScatterFn body) {
  assert(llvm::is_sorted(independent));
  if (independent.empty())
    return createLoops(b, /*lower=*/{}, upper, target, body);
  unsigned rank = upper.size();
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), target);
  SmallVector<OpFoldResult> outer, inner;
  for (unsigned d = 0; d < rank; ++d)
    (llvm::is_contained(independent, d) ? outer : inner).push_back(upper[d]);
  for (unsigned d : independent)
    sizes[d] = b.getIndexAttr(1);
  auto slices =
      scf::ForallOp::create(b, outer, target, /*mapping=*/std::nullopt);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(slices.getBody());
  Value whole = slices.getRegionIterArgs().front();
  SmallVector<OpFoldResult> offsets(rank, b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(rank, b.getIndexAttr(1));
  for (auto [d, iv] : llvm::zip_equal(independent, slices.getInductionVars()))
    offsets[d] = iv;
  Value slice =
      tensor::ExtractSliceOp::create(b, whole, offsets, sizes, strides);
  slice = createLoops(b, /*lower=*/{}, inner, slice,
                      [&](ElementBuilder &b, ValueRange rest, Value slice) {
                        SmallVector<Value> position;
                        for (OpFoldResult offset : offsets) {
                          auto iv = dyn_cast<Value>(offset);
                          position.push_back(iv ? iv : rest.front());
                          rest = iv ? rest : rest.drop_front();
                        }
                        return body(b, position, slice);
                      });
  b.setInsertionPointToStart(slices.getTerminator().getBody());
  tensor::ParallelInsertSliceOp::create(b, slice, whole, offsets, sizes,
                                        strides);
  return slices.getResult(0);
}

SmallVector<OpFoldResult> pool::getKnownExtents(ArrayRef<OpFoldResult> first,
                                                ArrayRef<OpFoldResult> second) {
  SmallVector<OpFoldResult> extents(first);
  for (auto [extent, other] : llvm::zip_equal(extents, second))
    if (isa<Value>(extent))
      extent = other;
  return extents;
}

Value pool::addToElement(ElementBuilder &b, ValueRange position, Value target,
                         Value addend) {
  Value element = tensor::ExtractOp::create(b, target, position);
  return tensor::InsertOp::create(b, b.addFloat(element, addend), target,
                                  position);
}

Value IndexedScatter::createLoops(ElementBuilder &b,
                                  ArrayRef<OpFoldResult> upper, Value target,
                                  ScatterFn body) {
  return createScatter(b, llvm::to_vector(llvm::seq<unsigned>(0, axis)), upper,
                       target, body);
}

Value IndexedScatter::writeAtIndex(ElementBuilder &b, Value indices,
                                   ValueRange position, Value slice,
                                   Value condition, ScatterFn write) {
  // As an unsigned number, a negative index is too large. So one comparison
  // checks both bounds.
  Value flat = b.index(tensor::ExtractOp::create(b, indices, position));
  Value inside = b.both(b.isBelow(flat, bound), condition);
  auto guarded = scf::IfOp::create(
      b, inside,
      [&](OpBuilder &nested, Location loc) {
        ElementBuilder b(nested, loc);
        SmallVector<Value> place(axis, b.index(0));
        place.resize(position.size());
        Value &rest = place[axis] = flat;
        for (int64_t d = place.size() - 1; d > axis; --d) {
          place[d] = b.rem(rest, extents[d - axis]);
          rest = b.divUnsigned(rest, extents[d - axis]);
        }
        scf::YieldOp::create(b, write(b, place, slice));
      },
      [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, slice); });
  return guarded.getResult(0);
}
