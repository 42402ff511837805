// Loops and stored rows of a gradient's planes.
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
          length, getFloatAccumulator(getElementTypeOrSelf(target)))) {}

Value PlaneScatter::getPlaneBegin(ValueRange outer) {
  if (shape.numOuter == axis)
    return {};
  Value begin = outer[axis];
  for (int64_t d = axis + 1; d < shape.numOuter; ++d)
    begin =
        at.add(at.mul(begin, memref::DimOp::create(at, target, d)), outer[d]);
  return at.mul(begin, shape.row.input * shape.column.input);
}

void PlaneScatter::forEachStrip(function_ref<void(Value first)> emit) {
  int64_t whole = shape.column.input / shape.column.stride / length * length;
  at.forEach(at.index(0), at.index(whole), length, emit);
  if (whole * shape.column.stride < shape.column.input)
    emit(at.index(whole));
}

void PlaneScatter::storeStrip(ValueRange outer, Value row, Value first,
                              ArrayRef<Value> sums) {
  int64_t numClasses = sums.size();
  Type element = getElementTypeOrSelf(target);
  SmallVector<Value> rounded;
  for (Value sum : sums)
    rounded.push_back(
        truncateFloat(at, at.getLoc(), sum, VectorType::get(length, element)));
  for (int64_t v = 0; v < numClasses; ++v) {
    Value column = at.add(at.mul(first, numClasses), v * length);
    LaneRange columns = getLanes(column, shape.column.input);
    if (areNone(columns))
      break;
    // Each class in turn.
    Value lanes = rounded[0];
    for (int64_t c = 1; c < numClasses; ++c) {
      lanes = at.shuffle(lanes, rounded[c], mapLanes(length, [&](int64_t lane) {
                           int64_t column = v * length + lane;
                           int64_t kept = c == 1 ? column / numClasses : lane;
                           return column % numClasses == c
                                      ? length + column / numClasses
                                      : kept;
                         }));
    }
    storeLanes(at, lanes, target, append(getRowIndices(outer, row), column),
               columns);
  }
}
