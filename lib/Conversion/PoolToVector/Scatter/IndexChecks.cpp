// The largest index, which run-time checks of indices look for: the loops that
// they are generated with over a tensor's elements become one over vectors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/ScatterOps.h"

#include "Scatter/IndexedScatter.h"
#include "Emit/LaneMask.h"
#include "Emit/WindowKernel.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pool;

/// Whether `loop` is over all of dimension `d` of `tensor`.
static bool isOver(scf::ForOp loop, Value tensor, int64_t d) {
  int64_t extent = cast<RankedTensorType>(tensor.getType()).getDimSize(d);
  if (!isConstantIntValue(loop.getLowerBound(), 0) ||
      !isConstantIntValue(loop.getStep(), 1))
    return false;
  if (!ShapedType::isDynamic(extent))
    return isConstantIntValue(loop.getUpperBound(), extent);
  auto dim = loop.getUpperBound().getDefiningOp<tensor::DimOp>();
  return dim && dim.getSource() == tensor && dim.getConstantIndex() == d;
}

/// The outermost of the loops around `extract` that give the largest element,
/// as unsigned, of its tensor, as CheckBuilder builds them; null if they do
/// something else.
static scf::ForOp getLargestLoops(tensor::ExtractOp extract) {
  if (!extract->hasOneUse())
    return {};
  auto cast = dyn_cast<arith::IndexCastOp>(*extract->user_begin());
  if (!cast || !cast->hasOneUse())
    return {};
  Operation *value = *cast->user_begin();
  if (!isa<arith::MaxUIOp>(value))
    return {};
  scf::ForOp loop;
  Value soFar = value->getOperand(value->getOperand(0) == cast.getResult());
  for (int64_t d = extract.getIndices().size() - 1; d >= 0; --d) {
    auto outer = dyn_cast<scf::ForOp>(value->getParentOp());
    if (!outer || outer.getNumRegionIterArgs() != 1 ||
        extract.getIndices()[d] != outer.getInductionVar() ||
        !isOver(outer, extract.getTensor(), d) ||
        soFar != outer.getRegionIterArg(0) ||
        outer.getBody()->getTerminator()->getOperand(0) != value->getResult(0))
      return {};
    loop = outer;
    value = loop;
    soFar = loop.getInitArgs()[0];
  }
  return loop && isConstantIntValue(soFar, 0) ? loop : scf::ForOp();
}

/// The largest element, as unsigned, of a `buffer` of integers with one
/// dimension; 0 if there is none.
static Value getLargest(OpBuilder &b, Location loc, Value buffer,
                        int64_t vectorBits) {
  IndexArithmetic at(b, loc);
  auto type = cast<MemRefType>(buffer.getType());
  Value numElements = getValueOrCreateConstantIndexOp(
      b, loc, memref::getMixedSize(b, loc, buffer, 0));
  // Two registers, so that one maximum does not wait for the other.
  int64_t length = getNumLanes(2 * vectorBits, type.getElementTypeBitWidth());
  auto vectorType = VectorType::get(length, type.getElementType());
  Value zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(vectorType));
  Value rest = at.rem(numElements, length);
  Value end = at.sub(numElements, rest);
  auto loop = scf::ForOp::create(b, loc, at.constant(0), end,
                                 at.constant(length), zeros);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value lanes = vector::LoadOp::create(b, loc, vectorType, buffer,
                                         loop.getInductionVar());
    Value largest =
        arith::MaxUIOp::create(b, loc, loop.getRegionIterArg(0), lanes);
    scf::YieldOp::create(b, loc, largest);
  }
  Value lanes = loop.getResult(0);
  if (!isConstantIntValue(rest, 0)) {
    Value mask = createLaneMask(b, loc, length, /*begin=*/{}, rest);
    Value last = vector::MaskedLoadOp::create(b, loc, vectorType, buffer, end,
                                              mask, zeros);
    lanes = arith::MaxUIOp::create(b, loc, lanes, last);
  }
  Value largest =
      vector::ReductionOp::create(b, loc, vector::CombiningKind::MAXUI, lanes);
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), largest);
}

void pool::vectorizeIndexChecks(RewriterBase &rewriter, Value indices,
                                int64_t vectorBits) {
  SmallVector<scf::ForOp> loops;
  for (Operation *user : indices.getUsers())
    if (auto extract = dyn_cast<tensor::ExtractOp>(user))
      if (scf::ForOp loop = getLargestLoops(extract))
        loops.push_back(loop);
  for (scf::ForOp loop : loops) {
    Location loc = loop.getLoc();
    rewriter.setInsertionPoint(loop);
    Value buffer = getBuffer(rewriter, loc, indices);
    Value packed = collapseFrom(rewriter, loc, buffer, 0);
    if (packed)
      rewriter.replaceOp(loop, getLargest(rewriter, loc, packed, vectorBits));
    else
      rewriter.eraseOp(buffer.getDefiningOp());
  }
}
