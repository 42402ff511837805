// Emits the outputs of a strip of a few rows as straight vector code. It first
// combines columns of the input rows, once for all output rows that share them.
// Then it reduces the windows along each row by slides between registers. With
// positions the order is reversed, so that the first of equal elements is met
// first. No row goes through memory.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWKERNEL_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWKERNEL_H

#include "Planes/RowRuns.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::pool {

class RowKernel : public RowRuns {
public:
  /// Prepared lanes of input row `row` of the strip, from `column` on, fill
  /// outside the input. Null if all of it is outside whatever the row.
  using LoadFn =
      function_ref<Value(int64_t outerTap, int64_t row, int64_t column)>;
  /// Takes the accumulators of the vector of outputs of `row` from `column` on.
  using StoreFn = function_ref<void(int64_t row, int64_t column, Accumulator)>;

  RowKernel(KernelBuilder &at, const LaneReduction &reduction,
            const StripShape &shape)
      : RowRuns(reduction, shape), at(at) {}

  /// Prepared elements of some of a strip's input rows, by row and vector, that
  /// need not be loaded. Without argmax.
  struct Elements {
    SmallVector<std::pair<int64_t, int64_t>> places;
    SmallVector<Value> values;
  };
  /// The elements that a strip shares with the one before.
  Elements loadCarried(LoadFn loadFn) {
    load = loadFn;
    Elements carried;
    for (int64_t row : getCarriedRows())
      for (int64_t vector : getLoadedVectors())
        if (Value element = getElement(row, vector).value) {
          carried.places.push_back({row, vector});
          carried.values.push_back(element);
        }
    return carried;
  }

  /// `carried`, if given, has the elements that the strip shares with the strip
  /// before. On return it has those for the next strip.
  void emit(LoadFn loadFn, StoreFn store, Elements *carried = nullptr) {
    load = loadFn;
    if (carried)
      for (auto [place, value] :
           llvm::zip_equal(carried->places, carried->values))
        elementCache[place] = {value, shape.numOuterTaps > 1};
    // Column by column, so that few vectors are alive at a time.
    for (int64_t vector = 0; vector * length < shape.numColumns; ++vector)
      for (int64_t i = 0; i < shape.numRows; ++i) {
        int64_t row = shape.lastRowFirst ? shape.numRows - 1 - i : i;
        store(row, vector * length,
              followsArgmax ? reduceRows(row, vector) : reduceRow(row, vector));
      }
    if (!carried)
      return;
    for (auto [place, value] :
         llvm::zip_equal(carried->places, carried->values))
      value = getElement(place.first + shape.numRows * shape.rows.stride,
                         place.second)
                  .value;
  }

private:
  Accumulator combine(Accumulator acc, Accumulator later) {
    return reduction.combine(at, acc, later);
  }

  /// Returns the source of a window along the row: an input row if there are
  /// positions, else an output row with reduced columns.
  Accumulator getSource(int64_t row, int64_t vector) {
    if (!followsArgmax) {
      auto [it, isNew] = columnCache.try_emplace(vector);
      if (isNew)
        it->second = reduceColumns(vector);
      return {it->second[row], {}};
    }
    ArgmaxLayout layout = getArgmaxLayout();
    int64_t numInputRows = layout.numInputRows;
    Value element =
        load(row / numInputRows, row % numInputRows, vector * length);
    Accumulator source;
    source.value =
        element ? reduction.begin(at, element) : reduction.getFill(at);
    source.index = at.lanes(reduction.getIndexType(), [&](int64_t lane) {
      return vector * length + lane - layout.firstColumn;
    });
    return source;
  }

  /// Reduces columns of the vector for all output rows.
  SmallVector<Value> reduceColumns(int64_t vector) {
    // Where a column is outside the input, all of its rows are.
    if (!getElement(0, vector).value)
      return SmallVector<Value>(shape.numRows, reduction.getFill(at));
    SmallVector<Value> results(shape.numRows);
    int64_t distance = shape.rows.getSharingDistance();
    int64_t numSharing =
        getNumSharingRows(shape.rows, shape.numRows, shape.isUniform);
    for (int64_t row = 0; row < shape.numRows; ++row) {
      if (results[row])
        continue;
      int64_t numLeft = llvm::divideCeil(shape.numRows - row, distance);
      reduceSharedColumns(vector, row, distance, std::min(numSharing, numLeft),
                          results);
    }
    return results;
  }

  /// For the output rows `firstRow`, `firstRow + distance` and so on.
  void reduceSharedColumns(int64_t vector, int64_t firstRow, int64_t distance,
                           int64_t numRows, MutableArrayRef<Value> results) {
    const KernelDim &rows = shape.rows;
    int64_t stride = rows.getSharingStride();
    auto append = [&](const Column &acc, int64_t tap) {
      return join(acc, getElement(firstRow * rows.stride + tap * rows.dilation,
                                  vector));
    };
    Column core;
    for (int64_t tap = (numRows - 1) * stride; tap < rows.kernel; ++tap)
      core = append(core, tap);
    SmallVector<Column> before(numRows), after(numRows);
    Column acc;
    for (int64_t g = numRows - 2; g >= 0; --g) {
      for (int64_t tap = (g + 1) * stride - 1; tap >= g * stride; --tap)
        acc = append(acc, tap);
      before[g] = acc;
    }
    acc = {};
    for (int64_t g = 1; g < numRows; ++g) {
      for (int64_t tap = rows.kernel + (g - 1) * stride;
           tap < rows.kernel + g * stride; ++tap)
        acc = append(acc, tap);
      after[g] = acc;
    }
    for (int64_t g = 0; g < numRows; ++g)
      results[firstRow + g * distance] =
          begin(join(join(before[g], core), after[g]));
  }

  /// Taps of a column that were reduced; null if there are none.
  struct Column {
    Value value;
    /// True for an accumulator, false for an element to be combined with one.
    bool isBegun = false;
  };
  Value begin(const Column &column) {
    return column.value && !column.isBegun ? reduction.begin(at, column.value)
                                           : column.value;
  }

  Column join(const Column &first, const Column &later) {
    if (!first.value || !later.value)
      return first.value ? first : later;
    // To begin is an operation, which no accumulator needs.
    bool isSwapped = !first.isBegun && later.isBegun;
    const Column &acc = isSwapped ? later : first;
    const Column &other = isSwapped ? first : later;
    return {combine({begin(acc), {}}, {other.value, {}}).value, true};
  }

  /// The input row reduced over the outer taps.
  Column getElement(int64_t row, int64_t vector) {
    auto [it, isNew] = elementCache.try_emplace({row, vector});
    if (isNew)
      for (int64_t tap = 0; tap < shape.numOuterTaps; ++tap) {
        Value element = load(tap, row, vector * length);
        if (!element)
          break;
        it->second = join(it->second, {element});
      }
    return it->second;
  }

  /// Returns vector `vector` of a run of row `row`.
  Accumulator getRun(int64_t row, const Run &run, int64_t vector) {
    auto it = runCache.find({row, run, vector});
    if (it != runCache.end())
      return it->second;
    Accumulator result;
    if (run.isRow())
      result = getSource(row, vector);
    else
      for (const Lanes &part : getParts(run, vector))
        result =
            combine(result, getLanes(row, part, getNumNeeded(run, vector)));
    runCache[{row, run, vector}] = result;
    return result;
  }

  /// Returns the first `numLanes` of `lanes` of row `row`.
  Accumulator getLanes(int64_t row, const Lanes &lanes, int64_t numLanes) {
    int64_t vector = llvm::divideFloorSigned(lanes.first, length);
    if (!areMoved(lanes))
      return getRun(row, lanes.run, vector);
    SmallVector<Accumulator> sources = {getRun(row, lanes.run, vector)};
    // Lanes that are not needed become poison. (LLVM 22's X86 backend takes
    // shuffles that repeat lanes there for splats, also of the lanes needed.)
    SmallVector<int64_t> positions(length, vector::ShuffleOp::kPoisonIndex);
    for (int64_t lane = 0; lane < numLanes; ++lane) {
      int64_t column = lanes.get(lane);
      int64_t here = llvm::divideFloorSigned(column, length);
      if (std::exchange(vector, here) != here)
        sources.push_back(getRun(row, lanes.run, here));
      positions[lane] =
          (sources.size() - 1) * length + llvm::mod(column, length);
    }
    return gatherLanes(at, sources, positions);
  }

  Accumulator reduceRow(int64_t row, int64_t vector) {
    Accumulator result;
    int64_t first = vector * length;
    for (const Lanes &lanes : windowRuns)
      result = combine(
          result, getLanes(row, lanes.movedBy(first), getNumOutputs(first)));
    return result;
  }

  /// An output row from its input rows reduced along the row.
  Accumulator reduceRows(int64_t row, int64_t vector) {
    ArgmaxLayout layout = getArgmaxLayout();
    Accumulator result;
    for (int64_t tap = 0; tap < shape.numOuterTaps; ++tap)
      for (int64_t t = 0; t < shape.rows.kernel; ++t) {
        int64_t source = tap * layout.numInputRows + row * shape.rows.stride +
                         t * shape.rows.dilation;
        auto [it, isNew] = rowCache.try_emplace({source, vector});
        if (isNew) {
          it->second = reduceRow(source, vector);
          Value base =
              at.splat(reduction.getIndexType(), source << layout.columnBits);
          it->second.index = at.add(it->second.index, base);
        }
        result = combine(result, it->second);
      }
    return result;
  }

  KernelBuilder &at;
  LoadFn load;
  // Values that were emitted.
  std::map<std::pair<int64_t, int64_t>, Column> elementCache;
  std::map<int64_t, SmallVector<Value>> columnCache;
  std::map<std::tuple<int64_t, Run, int64_t>, Accumulator> runCache;
  std::map<std::pair<int64_t, int64_t>, Accumulator> rowCache;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANES_ROWKERNEL_H
