// Writes each block of a target from one element. The index is compared with
// the positions of the block; positions that it does not name become zero.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/BlockScatter.h"

#include "Emit/LaneMask.h"
#include "Emit/Memory.h"
#include "Sink/ElementwiseChain.h"

using namespace mlir;
using namespace mlir::pool;

BlockScatter::BlockScatter(const ScatterEmitter &emitter,
                           const BlockShape &shape)
    : at(emitter.at), source(emitter.source), indices(emitter.indices),
      target(emitter.target),
      sourceShape(cast<MemRefType>(source.getType()).getShape()),
      targetShape(cast<MemRefType>(target.getType()).getShape()),
      axis(emitter.problem.axis), rank(targetShape.size()),
      // As many elements as distances.
      length(getNumLanes(emitter.problem.target.vectorBits,
                         std::max<int64_t>(emitter.problem.width, 32))),
      numParallel(shape.numParallel), strides(shape.strides) {}

void BlocksPlan::emit(ScatterEmitter &emitter) const {
  std::string reason;
  BlockScatter(emitter, *BlockShape::get(emitter.problem, reason))
      .create(*emitter.scatter, streams);
}

void BlockScatter::forEachBlockRow(
    function_ref<void(ArrayRef<int64_t> row)> emit) {
  SmallVector<int64_t> row(rank - 1, 0);
  while (true) {
    emit(row);
    int64_t d = rank - 2;
    while (d >= axis && ++row[d] == getFactor(d))
      row[d--] = 0;
    if (d < axis)
      return;
  }
}

//===----------------------------------------------------------------------===//
// Vectors of blocks
//===----------------------------------------------------------------------===//

Value BlockScatter::getDistances(Value indexLanes, ValueRange row,
                                 Value column) {
  int64_t factor = getFactor(rank - 1);
  Value first = at.mul(column, factor);
  for (int64_t d = axis; d < rank - 1; ++d)
    first = at.add(first, at.mul(row[d], getFactor(d) * strides[d]));
  auto type = cast<VectorType>(indexLanes.getType());
  SmallVector<int64_t> offsets;
  for (int64_t lane = 0; lane < length; ++lane)
    offsets.push_back(lane * factor);
  Value begin = at.add(at.splat(type, first), at.lanes(type, offsets));
  Value distances = at.sub(indexLanes, begin);
  if (type.getElementType().isInteger(32))
    return distances;
  // As unsigned, those before a block are large.
  constexpr int64_t largest = std::numeric_limits<int32_t>::max();
  distances = arith::MinUIOp::create(at, distances, at.splat(type, largest));
  return arith::TruncIOp::create(at, type.clone(at.getI32Type()), distances);
}

void BlockScatter::countStrip(ValueRange row, Value column, int64_t numLanes,
                              Value &counts, bool streams) {
  Value mask;
  if (numLanes < length)
    mask = vector::ConstantMaskOp::create(
        at, VectorType::get(length, at.getI1Type()), numLanes);
  SmallVector<Value> position(row);
  position.push_back(column);
  // Lanes that do not exist name nothing.
  Value distances = getDistances(
      loadLanes(at, length, indices, position, mask, -1), row, column);
  Value elements = loadLanes(at, length, source, position, mask, 0);
  auto elementType = cast<VectorType>(elements.getType());
  Value zeros = at.constant(at.getZeroAttr(elementType));
  Type stored = VectorType::get(
      length, cast<MemRefType>(target.getType()).getElementType());

  int64_t factor = getFactor(rank - 1);
  for (int64_t v = 0; v < factor; ++v) {
    int64_t numStored =
        std::clamp<int64_t>(factor * numLanes - v * length, 0, length);
    if (numStored == 0)
      break;
    // Lanes of the row, each with the element of its block.
    SmallVector<int64_t> ofBlock;
    for (int64_t lane = 0; lane < length; ++lane)
      ofBlock.push_back((v * length + lane) / factor);
    Value element = elements, distance = distances;
    if (factor != 1) {
      element = at.shuffle(elements, elements, ofBlock);
      distance = at.shuffle(distances, distances, ofBlock);
    }
    Value storeMask;
    if (numStored < length)
      storeMask = vector::ConstantMaskOp::create(
          at, VectorType::get(length, at.getI1Type()), numStored);
    Value named;
    forEachBlockRow([&](ArrayRef<int64_t> blockRow) {
      int64_t offset = 0;
      SmallVector<Value> place;
      for (int64_t d = 0; d < rank - 1; ++d) {
        if (d < axis) {
          place.push_back(row[d]);
          continue;
        }
        offset += blockRow[d] * strides[d];
        place.push_back(at.add(at.mul(row[d], getFactor(d)), blockRow[d]));
      }
      place.push_back(at.add(at.mul(column, factor), v * length));
      SmallVector<int32_t> positions;
      for (int64_t lane = 0; lane < length; ++lane)
        positions.push_back(offset + (v * length + lane) % factor);
      Value isNamed =
          at.isEqual(distance, at.constant(at.getI32VectorAttr(positions)));
      Value lanes = at.select(isNamed, element, zeros);
      lanes = castFromSignless(at, lanes, stored);
      if (streams)
        vector::StoreOp::create(at, lanes, target, place,
                                /*nontemporal=*/true,
                                llvm::MaybeAlign(getStoreBytes()));
      else
        storeLanes(at, lanes, target, place, storeMask);
      named = named ? at.bitOr(named, isNamed) : isNamed;
    });
    counts =
        at.add(counts, arith::ExtUIOp::create(at, counts.getType(), named));
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void BlockScatter::countRow(ValueRange row, Value &counts, bool streams) {
  int64_t width = sourceShape[rank - 1];
  int64_t end = width / length * length;
  if (end == length)
    countStrip(row, at.index(0), length, counts, streams);
  else if (end > 0)
    at.forEach(at.index(0), at.index(end), length, counts, [&](Value column) {
      countStrip(row, column, length, counts, streams);
    });
  if (end < width)
    countStrip(row, at.index(end), width - end, counts, streams);
}

void BlockScatter::countRows(ValueRange row, Value lower, Value upper,
                             Value &counts, bool streams) {
  int64_t d = row.size();
  if (d == rank - 1)
    return countRow(row, counts, streams);
  bool isFirst = d == numParallel;
  at.forEach(isFirst ? lower : at.index(0),
             isFirst ? upper : at.index(sourceShape[d]), 1, counts,
             [&](Value here) {
               SmallVector<Value> inner(row);
               inner.push_back(here);
               countRows(inner, lower, upper, counts, streams);
             });
}

Value BlockScatter::emitRows(ValueRange outer, bool streams) {
  int64_t rowSize = 1;
  for (int64_t extent : sourceShape.drop_front(numParallel + 1))
    rowSize *= extent;
  auto isAll = [&](Value counts, Value expected) -> Value {
    Value number =
        vector::ReductionOp::create(at, vector::CombiningKind::ADD, counts);
    number = at.castIndex(at.getIndexType(), number);
    return at.isEqual(number, expected);
  };
  int64_t numRows = sourceShape[numParallel];
  // The first row alone, then the others: indices of windows that overlap leave
  // blocks soon.
  Value all = arith::ConstantIntOp::create(at, 1, 1);
  at.forEach(at.index(0), at.index(2), 1, all, [&](Value part) {
    at.ifTrue(all, all, [&] {
      Value isFirst = at.isEqual(part, at.index(0));
      Value upper = at.select(isFirst, at.index(1), at.index(numRows));
      auto type = VectorType::get(length, at.getI32Type());
      Value counts = at.constant(at.getZeroAttr(type));
      countRows(outer, part, upper, counts, streams);
      all = isAll(counts, at.mul(at.sub(upper, part), rowSize));
    });
  });
  return all;
}

int64_t BlockScatter::getStoreBytes() const {
  return length * getElementBytes(target);
}

void BlockScatter::create(IndexedScatter &anyIndices, bool streams) {
  if (!streams)
    return createLoops(anyIndices, /*streams=*/false);
  at.ifElse(isAlignedTo(at, target, getStoreBytes()),
            [&](bool isAligned) { createLoops(anyIndices, isAligned); });
}

void BlockScatter::createLoops(IndexedScatter &anyIndices, bool streams) {
  anyIndices.createParts(
      ArrayRef(memref::getMixedSizes(at, at.getLoc(), target))
          .take_front(numParallel),
      /*numTogether=*/1, [] {},
      [&](ValueRange outer) { return emitRows(outer, streams); });
}
