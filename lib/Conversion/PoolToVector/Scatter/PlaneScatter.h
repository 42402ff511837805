// The planes of a gradient of an extremum whose windows have known extents: how
// positions gather from windows, and loads and stores of rows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_PLANESCATTER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_PLANESCATTER_H

#include "Problem/CostModel.h"
#include "Scatter/ScatterPlan.h"

namespace mlir::pool {

/// How the positions of a plane gather from the windows that cover them, as
/// vectors along its last dimension. A plane is the last two dimensions, or the
/// last one if indices count within it. Lanes are strides of its columns.
/// Columns with the same remainder by the stride form a class, and are lanes of
/// one vector.
struct WindowShape {
  /// Fails, with the reason, where windows or extents are not for it.
  static FailureOr<WindowShape> get(const ScatterProblem &problem,
                                    std::string &reason);

  /// A tap that covers the columns of a class: column `stride * j + c` is tap
  /// `tap` of window `j + shift`.
  struct Tap {
    int64_t tap, shift;
  };

  ResolvedDim row = {1, 1, 1, 1, 1, 0, 0, 0}, column = row;
  /// Dimensions of the target before the plane.
  int64_t numOuter = 0;
  /// Lanes of a vector of sums.
  int64_t length = 0;
  /// Bits of a distance from a window's first element, or of a tap.
  int64_t codeWidth = 32;
  /// The taps of each class, in the order of their windows.
  SmallVector<SmallVector<Tap>> classes;
  /// The first and last shift of all.
  int64_t firstShift = 0, lastShift = 0;

  /// Codes that are less than `largest`, which fits 32 bits.
  void setCodeWidth(const Target &target, int64_t largest);

  static int64_t getReach(const ResolvedDim &dim) {
    return (dim.kernel - 1) * dim.dilation;
  }
  /// From a tap of a window to its first element, in positions of the plane.
  int64_t getDistance(int64_t rowTap, int64_t columnTap) const {
    return rowTap * row.dilation * column.input + columnTap * column.dilation;
  }
  /// Rows of windows, and of none, until each row of the plane is passed.
  int64_t getNumSteps() const {
    return llvm::divideCeil(row.input + row.padBegin, row.stride);
  }
  /// Vectors of a row of windows, and of the strides of a row of the plane.
  int64_t getNumVectors() const {
    return llvm::divideCeil(column.output, length);
  }
  int64_t getNumStrips() const {
    return llvm::divideCeil(column.input, column.stride * length);
  }
  /// Vectors [first, second) of windows that are inside the row, with their
  /// strides and with the windows that cover these.
  std::pair<int64_t, int64_t> getInterior() const;
};

/// Writes the planes of a gradient. Vectors of windows of a row, or of strides
/// of columns, are named by the first one. It is known for vectors that may
/// reach over an end of the row. Loops over the others have all elements that
/// these vectors need.
class PlaneScatter {
protected:
  /// The tap, or the distance, of a window that does not exist: no element is
  /// at it.
  static constexpr int64_t kNone = -1;

  PlaneScatter(const ScatterEmitter &emitter, const WindowShape &shape);
  virtual ~PlaneScatter() = default;

  /// Allocates buffers that several planes share.
  virtual void allocateBuffers() = 0;
  /// Writes the plane. True if it is right; null if it always is.
  virtual Value emitPlane() = 0;
  /// Writes all planes. Where one is not right, scatterParts() writes its
  /// slices again.
  void emitPlanes(int64_t axis, SourceElementFn getIndex = {});

  /// Calls `emit` for `count` vectors of a row, in a loop for `inner` ones.
  void forEachRowVector(int64_t count, std::pair<int64_t, int64_t> inner,
                        const Carried &carried, KernelBuilder::LoopBody emit);
  /// Calls `emit` for the vectors of strides of a row of the target.
  void forEachStrip(KernelBuilder::LoopBody emit) {
    int64_t numWhole = shape.column.input / shape.column.stride / length;
    forEachRowVector(shape.getNumStrips(), {0, numWhole}, {}, emit);
  }
  /// Stores a vector of strides of a row, of one vector of sums for each class
  /// of columns.
  void storeStrip(Value row, Value first, ArrayRef<Value> sums);
  /// Fills columns [begin, end) of row `place` with `lanes`; whole vectors.
  void fillRow(Value buffer, Value place, int64_t begin, int64_t end,
               Value lanes) {
    at.forEach(at.index(begin), at.index(end), length,
               [&](Value column) { at.store(lanes, buffer, {place, column}); });
  }
  Value loadRow(Value buffer, Value place, Value column) {
    Type element = getElementTypeOrSelf(buffer);
    return at.load(VectorType::get(length, element), buffer, {place, column});
  }

  /// True if planes have rows, or are one.
  bool hasRows() const {
    auto type = cast<MemRefType>(emitter.target.getType());
    return type.getRank() - shape.numOuter == 2;
  }
  /// The indices of row `row` of the plane, in buffers of the target's rank.
  SmallVector<Value> getRowIndices(Value row) {
    return hasRows() ? append(plane, row) : plane;
  }
  /// The lanes of a vector from `first` on that lie in [0, extent).
  LaneRange getLanes(Value first, int64_t extent) {
    std::optional<int64_t> known = getConstantIntValue(first);
    return known ? LaneRange{-*known, extent - *known} : LaneRange();
  }
  bool areNone(const LaneRange &lanes) {
    auto known = lanes.getKnown(length);
    return known->first == known->second;
  }
  /// Loads elements of the source, in the type of sums.
  Value loadSource(ValueRange position, const LaneRange &lanes) {
    Value loaded = loadLanes(at, length, emitter.source, position, lanes, 0);
    return extendElement(at, at.getLoc(), loaded, sumType.getElementType());
  }
  /// Adds lanes of `element` to `sum` where `codes` are `code`. A sum begins
  /// with 0. So it is never -0, and adding 0 to the other lanes changes none.
  Value addNamed(Value sum, Value element, Value codes, int64_t code);
  Value getZeros() { return at.constant(at.getZeroAttr(sumType)); }
  Value getSplat(int64_t code) { return at.splat(codeType, code); }

  const ScatterEmitter &emitter;
  KernelBuilder &at;
  WindowShape shape;
  int64_t length;
  VectorType codeType, sumType;
  /// The indices of the plane.
  SmallVector<Value> plane;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_PLANESCATTER_H
