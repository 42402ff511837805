// Loops over rows of elements that gather from windows, in row-major order.
// Shuffles spread the sums of windows over the elements of a stride. If a
// stride has many elements, each window is added to the elements under it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Gather/GatherPlan.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Windows `first`, `first + KernelDim::getSharingDistance()` and so on before
/// a stride's own window.
struct WindowsBefore {
  int64_t first, count;
};

class StridedGather {
public:
  StridedGather(KernelBuilder &at, Value source, Value target,
                ArrayRef<LoopDim> dims)
      : at(at), source(source), target(target), outer(dims.drop_back()),
        lanes(dims.back()) {
    Type element = getElementTypeOrSelf(source);
    length = getNumLanes(at.target.vectorBits, element.getIntOrFloatBitWidth());
    type = VectorType::get(length, element);
    zeros = at.constant(at.getZeroAttr(type));
    if (!usesShuffles(lanes))
      return;
    sumOfElement.assign(lanes.stride, 0);
    // After `period` taps, the same element of a stride is covered again.
    int64_t period = lanes.getSharingStride();
    for (int64_t tap = 0; tap < std::min(period, lanes.kernel); ++tap) {
      int64_t distance = tap * lanes.dilation, first = distance / lanes.stride;
      int64_t count = llvm::divideCeil(lanes.kernel - tap, period);
      // With the taps, `first` never falls and `count` never rises.
      if (windowsBefore.empty() || windowsBefore.back().first != first ||
          windowsBefore.back().count != count)
        windowsBefore.push_back({first, count});
      sumOfElement[distance % lanes.stride] = windowsBefore.size();
    }
  }

  void emitRow(ValueRange row) {
    usesShuffles(lanes) ? gatherStrips(row) : spreadWindows(row);
  }

private:
  /// Loops in order over the rows of windows that cover a row of elements.
  /// `body` takes all coordinates of a window but the last.
  void forEachWindowRow(ValueRange row, const Carried &carried,
                        KernelBuilder::NestBody body) {
    SmallVector<PositionRange> ranges;
    for (auto [dim, i] : llvm::zip_equal(outer, row))
      ranges.push_back(dim.coversPadding ? dim.getCovering(at, i)
                                         : PositionRange{i, at.add(i, 1)});
    at.forEachIn(ranges, carried, body);
  }

  /// Gathers the strides of a row that have elements, by strips: lanes are
  /// strides.
  void gatherStrips(ValueRange row) {
    Value begin = at.floorDiv(lanes.padBegin, lanes.stride);
    Value elementsEnd = at.add(lanes.input, lanes.padBegin);
    Value end = at.add(at.floorDiv(at.sub(elementsEnd, 1), lanes.stride), 1);
    // The first strides have a window, and no element after the input. The last
    // strip of them moves back to their end. The second loop masks the strides
    // that are left, and all where they are fewer than a strip.
    Value numWhole = at.sub(
        at.min(at.floorDiv(elementsEnd, lanes.stride), lanes.output), begin);
    numWhole = at.select(at.isAtLeast(numWhole, length), numWhole, 0);
    at.forEach(0, numWhole, length, [&](Value number) {
      Value first = at.add(begin, at.moveBack(number, numWhole, length));
      // All elements exist, and all windows before each stride that reach it.
      int64_t last = (lanes.getExtent() - 1) / lanes.stride;
      Value hasWindows =
          at.both(at.isAtLeast(first, last),
                  at.isAtLeast(lanes.output, at.add(first, length)));
      Value hasElements =
          lanes.contains(at, lanes.getStart(at, first), length * lanes.stride);
      at.ifElse(at.both(hasWindows, hasElements),
                [&](bool isInner) { gatherStrip(row, first, isInner); });
    });
    at.forEach(at.add(begin, numWhole), end, length, [&](Value first) {
      gatherStrip(row, first, /*isInterior=*/false);
    });
  }

  /// The elements of `length` strides.
  void gatherStrip(ValueRange row, Value first, bool isInterior) {
    SmallVector<Value> sums(windowsBefore.size(), zeros);
    forEachWindowRow(row, sums, [&](ValueRange position) {
      for (auto [windows, sum] : llvm::zip_equal(windowsBefore, sums))
        addWindows(sum, position, windows, first, isInterior);
    });
    sums.insert(sums.begin(), zeros);
    for (int64_t v = 0; v < lanes.stride; ++v) {
      auto ofLane = [&](int64_t lane) {
        int64_t element = v * length + lane;
        int64_t number = sumOfElement[element % lanes.stride];
        return number == 0 ? lane : number * length + element / lanes.stride;
      };
      Value result = gatherLanes(at, sums, mapLanes(length, ofLane));
      Value begin = at.add(lanes.getStart(at, first), v * length);
      store(result, append(row, begin),
            isInterior ? LaneRange()
                       : LaneRange::getInside(at, begin, lanes.input));
    }
  }

  /// Adds the lanes of windows before those from `first` on to `sum`, in the
  /// order of the windows.
  void addWindows(Value &sum, ValueRange position, const WindowsBefore &windows,
                  Value first, bool isInterior) {
    auto add = [&](Value window) {
      LaneRange range = isInterior
                            ? LaneRange()
                            : LaneRange::getInside(at, window, lanes.output);
      sum = at.addFloats(sum, loadLanes(at, length, source,
                                        append(position, window), range, 0));
    };
    Value nearest = at.sub(first, windows.first);
    int64_t step = lanes.getSharingDistance();
    if (windows.count <= cost::kMaxStraightWindows) {
      for (int64_t i = windows.count - 1; i >= 0; --i)
        add(at.sub(nearest, i * step));
      return;
    }
    Value numBefore = at.index(windows.count - 1), end = at.add(nearest, 1);
    if (!isInterior) {
      // Only windows that exist in the row.
      numBefore =
          at.min(numBefore, at.floorDiv(at.add(nearest, length - 1), step));
      end = at.min(end, lanes.output);
    }
    at.forEach(at.sub(nearest, at.mul(numBefore, step)), end, step, sum, add);
  }

  /// Adds the windows of a row one by one to the elements under them.
  void spreadWindows(ValueRange row) {
    forEachVector(at, lanes.input, length, {},
                  [&](Value first, const LaneRange &range) {
                    store(zeros, append(row, first), range);
                  });
    forEachWindowRow(row, {}, [&](ValueRange position) {
      at.forEach(0, lanes.output, 1, [&](Value window) {
        Value value = at.load(source, append(position, window));
        WindowTaps taps(at);
        taps.add(lanes, lanes.getStart(at, window));
        taps.forEach({}, [&](ArrayRef<Value> column) {
          SmallVector<Value> place = append(row, column);
          at.store(at.addFloats(at.load(target, place), value), target, place);
        });
      });
    });
  }

  void store(Value sums, ValueRange place, const LaneRange &range) {
    Type element = getElementTypeOrSelf(target);
    storeLanes(at, truncateFloat(at, at.getLoc(), sums, type.clone(element)),
               target, place, range);
  }

  KernelBuilder &at;
  Value source, target;
  /// The dimensions before the last, and the last one.
  SmallVector<LoopDim> outer;
  LoopDim lanes;
  SmallVector<WindowsBefore> windowsBefore;
  /// For each element of a stride, the number of its windows in windowsBefore,
  /// counted from 1; 0 if no window covers it.
  SmallVector<int64_t> sumOfElement;
  VectorType type;
  int64_t length;
  Value zeros;
};
} // namespace

void pool::emitStridedGather(KernelBuilder &at, Value source, Value target,
                             ArrayRef<LoopDim> dims) {
  StridedGather gather(at, source, target, dims);
  auto upper = llvm::map_to_vector(
      dims.drop_back(), [](const LoopDim &dim) { return dim.input; });
  at.forEachParallel(upper, [&](ValueRange row) { gather.emitRow(row); });
}
