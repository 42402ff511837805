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
// Loops
//===----------------------------------------------------------------------===//

void PlaneScatter::forEachVector(
    int64_t count, MutableArrayRef<Value> carried,
    function_ref<void(Value first, int64_t numLanes)> body) {
  int64_t whole = count / length * length;
  if (whole > 0)
    at.forEach(at.index(0), at.index(whole), length, carried,
               [&](Value first) { body(first, length); });
  if (whole < count)
    body(at.index(whole), count - whole);
}

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
  if (begin < end)
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
  SmallVector<Value> indices(outer);
  if (hasRows())
    indices.push_back(row);
  indices.push_back({});
  return indices;
}

Value PlaneScatter::getMask(int64_t numLanes) {
  return getMask(ExistingLanes(0, length, numLanes));
}

Value PlaneScatter::getMask(const ExistingLanes &lanes) {
  return lanes.areAll()
             ? Value()
             : createLaneMask(at, lanes.count, lanes.begin, lanes.end);
}

void PlaneScatter::forEachStrip(
    function_ref<void(Value firstStride, int64_t numColumns)> emit) {
  int64_t width = shape.column.input, columns = length * shape.column.stride;
  // The last strip stores fewer columns, if it does.
  int64_t numWhole = width / columns;
  if (numWhole > 0)
    at.forEach(at.index(0), at.index(numWhole * length), length,
               [&](Value first) { emit(first, columns); });
  if (width % columns != 0)
    emit(at.index(numWhole * length), width % columns);
}

void PlaneScatter::storeStrip(ValueRange outer, Value row, Value firstStride,
                              int64_t numColumns, ArrayRef<Value> sums) {
  int64_t numClasses = sums.size();
  Type element = cast<MemRefType>(target.getType()).getElementType();
  SmallVector<Value> rounded;
  for (Value sum : sums)
    rounded.push_back(
        truncateFloat(at, at.getLoc(), sum, VectorType::get(length, element)));
  SmallVector<Value> position = getRowIndices(outer, row);
  for (int64_t v = 0; v * length < numColumns; ++v) {
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
    int64_t numLanes = std::min(numColumns - v * length, length);
    position.back() = at.add(at.mul(firstStride, numClasses), v * length);
    storeLanes(at, lanes, target, position, getMask(numLanes));
  }
}

Value PlaneScatter::getZeros() { return at.constant(at.getZeroAttr(sumType)); }
