// Helpers that the loops over planes of a gradient share: buffers, loops, and
// stores of rows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_PLANESCATTER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_PLANESCATTER_H

#include "Emit/KernelBuilder.h"
#include "Scatter/ScatterPlan.h"
#include "Scatter/WindowShape.h"

#include <algorithm>
#include <optional>

namespace mlir::pool {

/// A vector of windows of a row, from `first` on. `known` is its number if some
/// of these windows, or elements that they cover, may not exist; without it all
/// exist.
struct WindowStrip {
  Value first;
  std::optional<int64_t> known;
};

/// Elements [begin, end) of `count` that exist, of those from `first` on of a
/// row of `extent`; all where `first` is not known.
struct ExistingLanes {
  ExistingLanes(std::optional<int64_t> first, int64_t count, int64_t extent)
      : begin(first ? std::clamp<int64_t>(-*first, 0, count) : 0),
        end(first ? std::clamp<int64_t>(extent - *first, 0, count) : count),
        count(count) {}

  bool areAll() const { return begin == 0 && end == count; }
  bool areNone() const { return begin >= end; }

  int64_t begin, end, count;
};

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

  /// Buffers of one allocation, each of whole vectors.
  SmallVector<Value> allocate(ArrayRef<MemRefType> types);
  /// Fills columns [begin, end) of row `place` with `lanes`; whole vectors.
  void fillRow(Value buffer, Value place, int64_t begin, int64_t end,
               Value lanes);
  Value loadRow(Value buffer, Value place, Value column);
  void storeRow(Value lanes, Value buffer, Value place, Value column);

  /// The position of a plane in its slice; null if it is the first.
  Value getPlaneBegin(ValueRange outer);
  /// True if planes have rows, or are one.
  bool hasRows() const;
  /// The indices of row `row` of a plane, in buffers of the target's rank.
  SmallVector<Value> getRowIndices(ValueRange outer, Value row);
  LaneRange getRange(const ExistingLanes &lanes) {
    return LaneRange::get(at, lanes.count, lanes.begin, lanes.end);
  }
  /// Calls `emit` for the strips of a row of the target, each of a vector of
  /// strides of columns. `known` is the first stride of the last strip if that
  /// has fewer columns.
  void forEachStrip(function_ref<void(const WindowStrip &strip)> emit);
  /// Stores a strip of a row, of one vector of sums for each class of columns.
  void storeStrip(ValueRange outer, Value row, const WindowStrip &strip,
                  ArrayRef<Value> sums);

  Value getZeros();
  Value getSplat(int64_t code) { return at.splat(codeType, code); }
  Value getConstant(ArrayRef<int64_t> codes) {
    return at.lanes(codeType, codes);
  }

  KernelBuilder &at;
  WindowShape shape;
  Value source, target;
  int64_t axis, length;
  VectorType codeType, sumType;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_PLANESCATTER_H
