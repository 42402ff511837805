// Helpers that the loops over planes of a gradient share: buffers, loops, and
// stores of rows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_PLANESCATTER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_PLANESCATTER_H

#include "Emit/KernelBuilder.h"
#include "Scatter/ScatterPlan.h"

namespace mlir::pool {

/// Vectors of windows of a row, or of strides of columns, are named by the
/// first one. It is known for vectors that may reach over an end of the row.
/// Loops over the others have all elements that these vectors need.
class PlaneScatter {
protected:
  /// The tap, or the distance, of a window that does not exist: no element is
  /// at it.
  static constexpr int64_t kNone = -1;

  PlaneScatter(const ScatterEmitter &emitter, const WindowShape &shape);

  /// Planes that share buffers, whose allocation takes as long as a small one.
  int64_t getNumTogether() const {
    return llvm::divideCeil(cost::kWindowsTogether,
                            shape.row.output * shape.column.output);
  }

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

  /// The position of a plane in its slice; null if it is the first.
  Value getPlaneBegin(ValueRange outer);
  /// True if planes have rows, or are one.
  bool hasRows() const {
    return cast<MemRefType>(target.getType()).getRank() - shape.numOuter == 2;
  }
  /// The indices of row `row` of a plane, in buffers of the target's rank.
  SmallVector<Value> getRowIndices(ValueRange outer, Value row) {
    return hasRows() ? append(outer, row) : SmallVector<Value>(outer);
  }
  /// The lanes of a vector from `first` on that lie in [0, extent).
  LaneRange getLanes(Value first, int64_t extent) {
    std::optional<int64_t> known = getConstantIntValue(first);
    return known ? LaneRange::get(at, length, -*known, extent - *known)
                 : LaneRange();
  }
  bool areNone(const LaneRange &lanes) {
    auto known = lanes.getKnown(length);
    return known->first == known->second;
  }
  /// Loads elements of the source, in the type of sums.
  Value loadSource(ValueRange position, const LaneRange &lanes) {
    Value loaded = loadLanes(at, length, source, position, lanes, /*fill=*/0);
    return extendElement(at, at.getLoc(), loaded, sumType.getElementType());
  }
  /// Calls `emit` for the vectors of strides of a row of the target.
  void forEachStrip(function_ref<void(Value first)> emit);
  /// Stores a vector of strides of a row, of one vector of sums for each class
  /// of columns.
  void storeStrip(ValueRange outer, Value row, Value first,
                  ArrayRef<Value> sums);

  /// Adds lanes of `element` to `sum` where `codes` are `code`. A sum begins
  /// with 0. So it is never -0, and adding 0 to the other lanes changes none.
  Value addNamed(Value sum, Value element, Value codes, int64_t code) {
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
  Value getZeros() { return at.constant(at.getZeroAttr(sumType)); }
  Value getSplat(int64_t code) { return at.splat(codeType, code); }

  KernelBuilder &at;
  WindowShape shape;
  Value source, target;
  int64_t axis, length;
  VectorType codeType, sumType;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_PLANESCATTER_H
