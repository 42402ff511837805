// Loops over strides of many elements: what windows give is a scalar to a whole
// vector, whose lanes a mask chooses.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaneMask.h"
#include "StridedGather.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pool;

std::pair<Value, SmallVector<Value>> StridedGather::getRowSums(ValueRange row) {
  auto isOwnWindow = [](const GatheredDim &dim) { return !dim.padBegin; };
  if (llvm::all_of(ArrayRef(dims).drop_back(), isOwnWindow))
    return {source, llvm::to_vector_of<Value>(row)};
  Value numWindows = dims.back().numWindows;
  Value sums = memref::AllocOp::create(
      b, loc, MemRefType::get({ShapedType::kDynamic}, type.getElementType()),
      numWindows, b.getI64IntegerAttr(64));
  auto loop = scf::ForOp::create(b, loc, at.constant(0), numWindows,
                                 at.constant(length));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value first = loop.getInductionVar();
  Value mask = createLaneMask(b, loc, length, {}, at.sub(numWindows, first));
  Value sum = sumOverRows(
      row, zeros,
      [&](ArrayRef<Value> position, ValueRange sums) -> SmallVector<Value> {
        SmallVector<Value> place(position);
        place.push_back(first);
        return {
            arith::AddFOp::create(b, loc, sums[0], load(source, place, mask))};
      })[0];
  vector::MaskedStoreOp::create(b, loc, sums, first, mask, sum);
  return {sums, {}};
}

Value StridedGather::getTaps(Value offset) {
  const GatheredDim &lanes = dims.back();
  Value mask = createLaneMask(
      b, loc, length, {}, at.sub(at.constant(lanes.getReach() + 1), offset));
  if (lanes.dilation == 1)
    return mask;
  // Of lanes whose remainders follow each other those that have none.
  SmallVector<int32_t> remainders;
  for (int64_t lane = 0; lane < length; ++lane)
    remainders.push_back(lane % lanes.dilation);
  Value own = at.rem(offset, lanes.dilation);
  Value missing =
      at.rem(at.sub(at.constant(lanes.dilation), own), lanes.dilation);
  missing = arith::IndexCastOp::create(b, loc, b.getI32Type(),
                                       at.min(missing, length));
  Value isTap = arith::CmpIOp::create(
      b, loc, arith::CmpIPredicate::eq,
      arith::ConstantOp::create(b, loc, b.getI32VectorAttr(remainders)),
      vector::BroadcastOp::create(b, loc, type.clone(b.getI32Type()), missing));
  return arith::AndIOp::create(b, loc, mask, isTap);
}

Value StridedGather::gatherInStride(Value sums, ArrayRef<Value> place,
                                    Value stride, Value offset) {
  const GatheredDim &lanes = dims.back();
  int64_t last = lanes.getReach() / lanes.stride;
  Value begin = at.max(at.sub(stride, last), 0);
  Value end = at.min(at.add(stride, 1), lanes.numWindows);
  auto loop = scf::ForOp::create(b, loc, begin, end, at.constant(1), zeros);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value window = loop.getInductionVar(), sum = loop.getRegionIterArgs()[0];
  SmallVector<Value> position(place);
  position.push_back(window);
  Value quotient = memref::LoadOp::create(b, loc, sums, position);
  Value before = at.mul(at.sub(stride, window), lanes.stride);
  Value added = arith::AddFOp::create(
      b, loc, sum, vector::BroadcastOp::create(b, loc, type, quotient));
  scf::YieldOp::create(b, loc,
                       arith::SelectOp::create(
                           b, loc, getTaps(at.add(before, offset)), added, sum)
                           .getResult());
  return loop.getResult(0);
}

void StridedGather::emitStrides(ValueRange row) {
  const GatheredDim &lanes = dims.back();
  auto [sums, place] = getRowSums(row);
  auto [firstStride, endStride] = getStrides();
  auto strides =
      scf::ForOp::create(b, loc, firstStride, endStride, at.constant(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(strides.getBody());
  Value stride = strides.getInductionVar();
  // The elements of it that there are.
  Value begin = at.sub(at.mul(stride, lanes.stride), lanes.padBegin);
  Value end = at.min(at.sub(lanes.extent, begin), lanes.stride);
  auto vectors =
      scf::ForOp::create(b, loc, at.max(at.sub(at.constant(0), begin), 0), end,
                         at.constant(length));
  b.setInsertionPointToStart(vectors.getBody());
  Value offset = vectors.getInductionVar();
  SmallVector<Value> target(row);
  target.push_back(at.add(begin, offset));
  store(gatherInStride(sums, place, stride, offset), target,
        createLaneMask(b, loc, length, {}, at.sub(end, offset)));
}
