// The windows that cover the columns of a plane, loops over planes and rows,
// and stored rows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/PlaneScatter.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Windows that cover columns
//===----------------------------------------------------------------------===//

static bool isTrivial(const ResolvedDim &dim) {
  return dim.kernel == 1 && dim.stride == 1 && dim.padBegin == 0 &&
         dim.padEnd == 0 && dim.input == dim.output;
}

FailureOr<WindowShape> WindowShape::get(const ScatterProblem &problem,
                                        std::string &reason) {
  if (problem.windows.empty())
    return refuse(reason, "indices are not known to be those of windows");
  int64_t rank = problem.windows.size();
  WindowShape shape;
  shape.numOuter = std::max(problem.axis, rank - 2);
  for (int64_t d = 0; d < rank; ++d) {
    ResolvedDim dim = problem.windows[d];
    if (d < shape.numOuter) {
      if (!isTrivial(dim))
        return refuse(reason, "dimension {0}, before the last two, has windows",
                      d);
      continue;
    }
    if (ShapedType::isDynamic(dim.input) || ShapedType::isDynamic(dim.output) ||
        problem.sourceShape[d] != dim.output)
      return refuse(reason, "extents of dimension {0} are not known", d);
    if (dim.input == 0 || dim.output == 0)
      return refuse(reason, "dimension {0} is empty", d);
    // Their indices count nothing, whatever they are.
    if (std::optional<int64_t> empty = getFirstEmptyWindow(dim, Divisor::Valid))
      return refuse(reason, "window {0} of dimension {1} has no elements",
                    *empty, d);
    // Buffers are as long as windows reach.
    int64_t maxReach = 2 * dim.input + cost::kMaxReachBeyond;
    if (getReach(dim) >= maxReach)
      return refuse(reason,
                    "windows of dimension {0} reach over {1} elements, more "
                    "than {2} for an extent of {3}",
                    d, getReach(dim) + 1, maxReach, dim.input);
    if (dim.kernel == 1)
      dim.dilation = 1;
    (d + 1 < rank ? shape.row : shape.column) = dim;
  }

  // Positions, those in the padding too, are computed in 32 bits.
  const ResolvedDim &row = shape.row, &column = shape.column;
  int64_t rows, columns, bound;
  if (llvm::AddOverflow(row.input, getReach(row) + 1, rows) ||
      llvm::AddOverflow(column.input, getReach(column) + 1, columns) ||
      llvm::MulOverflow(rows, columns, bound) ||
      bound > std::numeric_limits<int32_t>::max())
    return refuse(reason, "distances have more than 32 bits");
  if (row.stride > cost::kMaxPinnedCodeSize)
    return refuse(reason, "the stride of rows is {0}, more than {1}",
                  row.stride, cost::kMaxPinnedCodeSize);
  if (row.kernel * column.kernel > cost::kMaxPinnedCodeSize)
    return refuse(reason, "windows have more than {0} elements",
                  cost::kMaxPinnedCodeSize);
  if (column.stride > cost::kMaxGatherStride)
    return refuse(reason, "the stride along the row is {0}, more than {1}",
                  column.stride, cost::kMaxGatherStride);

  shape.length = problem.getLength();
  // Differences of positions are known by their lower 16 bits if there are no
  // more of them.
  int64_t reach = shape.getDistance(row.kernel - 1, column.kernel - 1);
  shape.setCodeWidth(problem.target, bound + reach);
  shape.classes.resize(column.stride);
  for (int64_t c = 0; c < column.stride; ++c)
    for (int64_t tap = column.kernel - 1; tap >= 0; --tap) {
      int64_t begin = c + column.padBegin - tap * column.dilation;
      int64_t shift = begin / column.stride;
      if (begin % column.stride != 0)
        continue;
      shape.classes[c].push_back({tap, shift});
      shape.firstShift = std::min(shape.firstShift, shift);
      shape.lastShift = std::max(shape.lastShift, shift);
    }
  return shape;
}

void WindowShape::setCodeWidth(const Target &target, int64_t largest) {
  // With mask registers, half a register is compared in half the time. Other
  // masks must be as wide as the lanes that they select.
  bool isNarrow = target.hasMaskRegisters(/*laneBits=*/16) &&
                  largest < std::numeric_limits<uint16_t>::max();
  codeWidth = isNarrow ? 16 : 32;
}

std::pair<int64_t, int64_t> WindowShape::getInterior() const {
  int64_t before = std::max<int64_t>(
      -firstShift, llvm::divideCeil(column.padBegin, column.stride));
  int64_t numInside =
      (column.input + column.padBegin - getReach(column)) / column.stride;
  int64_t end = std::min(
      {column.output - lastShift, numInside, column.input / column.stride});
  int64_t begin = llvm::divideCeil(before, length);
  return {begin, std::max(begin, end / length)};
}

//===----------------------------------------------------------------------===//
// Loops and rows
//===----------------------------------------------------------------------===//

PlaneScatter::PlaneScatter(const ScatterEmitter &emitter,
                           const WindowShape &shape)
    : emitter(emitter), at(emitter.at), shape(shape), length(shape.length),
      codeType(VectorType::get(length, at.getIntegerType(shape.codeWidth))),
      sumType(VectorType::get(length, emitter.accType)) {}

void PlaneScatter::emitPlanes(int64_t axis, SourceElementFn getIndex) {
  // A buffer's allocation takes as long as a small plane.
  int64_t numTogether = llvm::divideCeil(
      cost::kWindowsTogether, shape.row.output * shape.column.output);
  scatterParts(
      emitter, axis, shape.numOuter, numTogether, [&] { allocateBuffers(); },
      [&](ValueRange outer) {
        plane = outer;
        return emitPlane();
      },
      getIndex);
}

void PlaneScatter::forEachRowVector(int64_t count,
                                    std::pair<int64_t, int64_t> inner,
                                    const Carried &carried,
                                    KernelBuilder::LoopBody emit) {
  for (int64_t v = 0; v < count; ++v) {
    if (v != inner.first || inner.second <= v + 1) {
      emit(at.index(v * length));
      continue;
    }
    at.forEach(v * length, inner.second * length, length, carried, emit);
    v = inner.second - 1;
  }
}

void PlaneScatter::storeStrip(Value row, Value first, ArrayRef<Value> sums) {
  int64_t numClasses = sums.size();
  auto stored = sumType.clone(getElementTypeOrSelf(emitter.target));
  SmallVector<Value> rounded = llvm::map_to_vector(sums, [&](Value sum) {
    return truncateFloat(at, at.getLoc(), sum, stored);
  });
  for (int64_t v = 0; v < numClasses; ++v) {
    Value column = at.add(at.mul(first, numClasses), v * length);
    LaneRange columns = getLanes(column, shape.column.input);
    if (areNone(columns))
      break;
    // Each class in turn.
    Value lanes = rounded[0];
    for (int64_t c = 1; c < numClasses; ++c)
      lanes = at.shuffle(lanes, rounded[c], mapLanes(length, [&](int64_t lane) {
                           int64_t column = v * length + lane;
                           int64_t kept = c == 1 ? column / numClasses : lane;
                           return column % numClasses == c
                                      ? length + column / numClasses
                                      : kept;
                         }));
    storeLanes(at, lanes, emitter.target, append(getRowIndices(row), column),
               columns);
  }
}

Value PlaneScatter::addNamed(Value sum, Value element, Value codes,
                             int64_t code) {
  Value isNamed = at.isEqual(codes, getSplat(code));
  // Without mask registers, a select from 0 is one `and`, which no later
  // addition waits for. LLVM makes a masked store of a select of sums that is
  // stored where it was loaded. On a Zen 3, gradients without indices took
  // 1.25 to 2.7 times as long with selects of sums.
  if (!at.target.hasMaskRegisters(shape.codeWidth))
    return at.addFloats(sum, at.select(isNamed, element, getZeros()));
  Value added = at.addFloats(sum, element);
  return at.select(isNamed, added, sum);
}
