// Buffers, loops and stored rows of a gradient's planes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/PlaneScatter.h"

#include "Emit/LaneMask.h"

using namespace mlir;
using namespace mlir::pool;

PlaneScatter::PlaneScatter(const ScatterEmitter &emitter,
                           const WindowShape &shape)
    : at(emitter.at), shape(shape), source(emitter.source),
      target(emitter.target), axis(emitter.problem.axis), length(shape.length),
      codeType(VectorType::get(length, at.getIntegerType(shape.codeWidth))),
      sumType(VectorType::get(
          length, getFloatAccumulator(
                      cast<MemRefType>(target.getType()).getElementType()))) {}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

SmallVector<Value> PlaneScatter::allocate(ArrayRef<MemRefType> types) {
  auto getBytes = [](MemRefType type) {
    return type.getNumElements() * type.getElementTypeBitWidth() / 8;
  };
  int64_t numBytes = 0;
  for (MemRefType type : types)
    numBytes += getBytes(type);
  Value all = memref::AllocOp::create(
      at, MemRefType::get(numBytes, at.getI8Type()), at.getI64IntegerAttr(64));
  SmallVector<Value> buffers;
  int64_t begin = 0;
  for (MemRefType type : types) {
    buffers.push_back(
        memref::ViewOp::create(at, type, all, at.index(begin), ValueRange()));
    begin += getBytes(type);
  }
  return buffers;
}

void PlaneScatter::fillRow(Value buffer, Value place, int64_t begin,
                           int64_t end, Value lanes) {
  at.forEach(at.index(begin), at.index(end), length,
             [&](Value column) { storeRow(lanes, buffer, place, column); });
}

Value PlaneScatter::loadRow(Value buffer, Value place, Value column) {
  Type element = cast<MemRefType>(buffer.getType()).getElementType();
  return at.load(VectorType::get(length, element), buffer,
                 ValueRange{place, column});
}

void PlaneScatter::storeRow(Value lanes, Value buffer, Value place,
                            Value column) {
  at.store(lanes, buffer, ValueRange{place, column});
}

//===----------------------------------------------------------------------===//
// Planes
//===----------------------------------------------------------------------===//

Value PlaneScatter::getPlaneBegin(ValueRange outer) {
  if (shape.numOuter == axis)
    return {};
  Value begin = outer[axis];
  for (int64_t d = axis + 1; d < shape.numOuter; ++d)
    begin =
        at.add(at.mul(begin, memref::DimOp::create(at, target, d)), outer[d]);
  return at.mul(begin, shape.row.input * shape.column.input);
}

bool PlaneScatter::hasRows() const {
  return cast<MemRefType>(target.getType()).getRank() - shape.numOuter == 2;
}

SmallVector<Value> PlaneScatter::getRowIndices(ValueRange outer, Value row) {
  return hasRows() ? append(outer, row) : SmallVector<Value>(outer);
}

void PlaneScatter::forEachStrip(
    function_ref<void(const WindowStrip &strip)> emit) {
  int64_t whole = shape.column.input / shape.column.stride / length * length;
  at.forEach(at.index(0), at.index(whole), length,
             [&](Value first) { emit({first, std::nullopt}); });
  if (whole * shape.column.stride < shape.column.input)
    emit({at.index(whole), whole});
}

void PlaneScatter::storeStrip(ValueRange outer, Value row,
                              const WindowStrip &strip, ArrayRef<Value> sums) {
  int64_t numClasses = sums.size();
  Type element = cast<MemRefType>(target.getType()).getElementType();
  SmallVector<Value> rounded;
  for (Value sum : sums)
    rounded.push_back(
        truncateFloat(at, at.getLoc(), sum, VectorType::get(length, element)));
  for (int64_t v = 0; v < numClasses; ++v) {
    std::optional<int64_t> firstColumn;
    if (strip.known)
      firstColumn = *strip.known * numClasses + v * length;
    ExistingLanes columns(firstColumn, length, shape.column.input);
    if (columns.areNone())
      break;
    // Each class in turn.
    Value lanes = rounded[0];
    for (int64_t c = 1; c < numClasses; ++c) {
      SmallVector<int64_t> from;
      for (int64_t lane = 0; lane < length; ++lane) {
        int64_t column = v * length + lane;
        int64_t kept = c == 1 ? column / numClasses : lane;
        from.push_back(column % numClasses == c ? length + column / numClasses
                                                : kept);
      }
      lanes = at.shuffle(lanes, rounded[c], from);
    }
    Value column = at.add(at.mul(strip.first, numClasses), v * length);
    storeLanes(at, lanes, target, append(getRowIndices(outer, row), column),
               getRange(columns));
  }
}

Value PlaneScatter::getZeros() { return at.constant(at.getZeroAttr(sumType)); }
