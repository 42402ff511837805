// What the loops over planes store: values and positions by way of what follows
// element by element, and one by one what vectors cannot tell.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlaneLoops.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "pool/Conversion/PoolToLoops/PoolToLoops.h"

using namespace mlir;
using namespace mlir::pool;

Value PlaneLoops::getPositions(const Strip &strip, const StripCodes &codes,
                               Value code) {
  auto type = VectorType::get(length, b.getIndexType());
  auto splat = [&](Value value) -> Value {
    return vector::BroadcastOp::create(b, loc, type, value);
  };
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(type, b.getIndexAttr(value)));
  };
  // Padding before a dimension stands for the window's first position inside.
  auto clampBegin = [&](const LoopDim &dim, Value position) -> Value {
    if (!dim.coversPadding)
      return position;
    Value zero = constant(0);
    if (dim.dilation == 1)
      return arith::MaxSIOp::create(b, loc, position, zero);
    Value d = constant(dim.dilation);
    Value rest = arith::RemSIOp::create(b, loc, position, d);
    Value isNegative =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, rest, zero);
    rest = arith::SelectOp::create(
        b, loc, isNegative, arith::AddIOp::create(b, loc, rest, d), rest);
    Value isBefore = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                           position, zero);
    return arith::SelectOp::create(b, loc, isBefore, rest, position);
  };
  SmallVector<OpFoldResult> weights = kernel.op.getMixedPositions();
  Value sum;
  auto add = [&](unsigned dim, Value position) {
    Value weight =
        splat(getValueOrCreateConstantIndexOp(b, loc, weights[1 + dim]));
    if (getConstantIntValue(weights[1 + dim]) != 1)
      position = arith::MulIOp::create(b, loc, position, weight);
    sum = sum ? arith::AddIOp::create(b, loc, sum, position).getResult()
              : position;
  };
  Value bits = arith::IndexCastOp::create(b, loc, type, code);
  int64_t mask = (int64_t(1) << codes.columnBits) - 1;
  Value column = arith::AndIOp::create(b, loc, bits, constant(mask));
  Value firstInput = strip.firstInput ? strip.firstInput : index(firstColumn);
  column = arith::AddIOp::create(b, loc, column,
                                 splat(at.add(firstInput, codes.firstColumn)));
  add(outer.size() + hasRows, clampBegin(columns, column));
  Value rest = arith::ShRUIOp::create(b, loc, bits, constant(codes.columnBits));
  if (hasRows) {
    Value row = rest;
    if (!outer.empty()) {
      row = arith::RemUIOp::create(b, loc, rest, constant(codes.numInputRows));
      rest = arith::DivUIOp::create(b, loc, rest, constant(codes.numInputRows));
    }
    row = arith::AddIOp::create(b, loc, row, splat(rowStart));
    add(outer.size(), clampBegin(rows, row));
  }
  for (unsigned i = outer.size(); i-- > 0;) {
    Value tap = arith::RemUIOp::create(b, loc, rest, constant(outer[i].kernel));
    rest = arith::DivUIOp::create(b, loc, rest, constant(outer[i].kernel));
    Value position =
        arith::MulIOp::create(b, loc, tap, constant(outer[i].dilation));
    position = arith::AddIOp::create(b, loc, position, splat(outerStarts[i]));
    add(i, clampBegin(outer[i], position));
  }
  sum = arith::AddIOp::create(
      b, loc, sum, splat(getValueOrCreateConstantIndexOp(b, loc, weights[0])));
  return arith::IndexCastOp::create(
      b, loc, VectorType::get(length, b.getI64Type()), sum);
}

/// Stores the outputs one by one, as the loops of elements do.
void PlaneLoops::storeDoubtful(const Strip &strip, int64_t numOutputs,
                               const ElementPlace &place) {
  Value end = strip.numOutputs ? at.min(strip.numOutputs, numOutputs)
                               : index(numOutputs);
  auto loop = scf::ForOp::create(b, loc, index(0), end, index(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  ElementPlace element;
  element.coordinates = place.coordinates;
  element.coordinates.back() =
      at.add(place.coordinates.back(), loop.getInductionVar());
  SmallVector<Value> results =
      reduceWindow(b, loc, kernel.op, kernel.input, element.coordinates);
  for (auto [chain, buffer, value] :
       llvm::zip_equal(kernel.chains, kernel.buffers, results))
    chain.store(b, loc, value, buffer, element, {});
}

void PlaneLoops::store(const Strip &strip, const RowKernel &rowKernel,
                       Value outputRow, int64_t column, Lanes lanes) {
  OpBuilder::InsertionGuard guard(b);
  if (!rows.knownOutput && !carriesRows) {
    // A plane with fewer rows than a group.
    Value exists = at.isAtLeast(at.sub(rows.output, 1), outputRow);
    auto guarded = scf::IfOp::create(b, loc, exists);
    b.setInsertionPointToStart(guarded.thenBlock());
  }
  ElementPlace place;
  place.coordinates = coordinates;
  if (hasRows)
    place.coordinates.push_back(outputRow);
  place.coordinates.push_back(
      strip.firstOutput ? at.add(strip.firstOutput, column) : index(column));
  place.laneDim = rank - 1;
  place.numLanes = length;
  if (!strip.numOutputs)
    place.numExisting = std::min(length, rowKernel.getNumColumns() - column);
  int64_t numOutputs = std::min(length, rowKernel.getNumColumns() - column);
  if (strip.numOutputs)
    place.mask = getMask({}, at.sub(strip.numOutputs, column));
  else if (numOutputs < length)
    place.mask = getConstantMask(0, numOutputs);

  ElementFacts facts;
  if (isInteriorGroup) {
    facts.countCoordinates.assign(rank, Value());
    auto setInterior = [&](const LoopDim &dim, unsigned d) {
      facts.countCoordinates[d] = at.ceilDiv(dim.padBegin, dim.stride);
    };
    for (auto [i, dim] : llvm::enumerate(outer))
      setInterior(dim, 2 + i);
    if (hasRows)
      setInterior(rows, rank - 2);
    if (strip.isInterior)
      setInterior(columns, rank - 1);
  }

  auto storeTo = [&](unsigned i, Value value) {
    place.streamAlignment = streamAlignments.empty() ? 0 : streamAlignments[i];
    kernel.chains[i].store(b, loc, value, kernel.buffers[i], place, facts);
  };
  if (!lanes.code) {
    storeTo(0, reduction.finish(b, loc, lanes.value));
    return;
  }
  if (Value doubtful = reduction.getDoubtful(b, loc, lanes.value)) {
    // Lanes that do not exist may be poison, which a selection leaves out.
    if (place.mask)
      doubtful = arith::SelectOp::create(
          b, loc, place.mask, doubtful,
          arith::ConstantOp::create(
              b, loc,
              DenseElementsAttr::get(cast<VectorType>(doubtful.getType()),
                                     false)));
    Value any = vector::ReductionOp::create(b, loc, vector::CombiningKind::OR,
                                            doubtful);
    auto branch = scf::IfOp::create(b, loc, any, /*withElse=*/true);
    b.setInsertionPointToStart(branch.thenBlock());
    Strip part = strip;
    if (part.numOutputs)
      part.numOutputs = at.sub(part.numOutputs, column);
    storeDoubtful(part, numOutputs, place);
    b.setInsertionPointToStart(branch.elseBlock());
  }
  facts.hasPosition = true;
  storeTo(0, reduction.finish(b, loc, lanes.value));
  storeTo(1, getPositions(strip, rowKernel.getCodes(), lanes.code));
}
