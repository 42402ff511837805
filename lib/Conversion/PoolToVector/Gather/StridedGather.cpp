// Loops over rows of elements that gather from windows, in row-major order.
// Shuffles spread the sums of windows over the elements of a stride. If a
// stride has many elements, each window is added to the elements under it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Gather/GatherPlan.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Windows `first`, `first + step` and so on before a stride's own window. They
/// cover the same `elements` of the stride.
struct WindowsBefore {
  int64_t first, step, count;
  SmallVector<bool> elements;
};

static SmallVector<WindowsBefore> getWindowsBefore(const KernelDim &dim) {
  // After `period` taps, the same element of a stride is covered again.
  int64_t period = dim.getSharingStride();
  SmallVector<WindowsBefore> result;
  for (int64_t tap = 0; tap < std::min(period, dim.kernel); ++tap) {
    int64_t distance = tap * dim.dilation, first = distance / dim.stride;
    int64_t count = llvm::divideCeil(dim.kernel - tap, period);
    auto *same = llvm::find_if(result, [&](const WindowsBefore &windows) {
      return windows.first == first && windows.count == count;
    });
    if (same == result.end()) {
      result.push_back({first, dim.getSharingDistance(), count,
                        SmallVector<bool>(dim.stride)});
      same = &result.back();
    }
    same->elements[distance % dim.stride] = true;
  }
  return result;
}

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
    // Lanes that are channels are each their own window.
    if (!lanes.padBegin) {
      lanes.padBegin = at.index(0);
      lanes.output = lanes.input;
    }
  }

  void create() {
    SmallVector<Value> upper;
    for (const LoopDim &dim : outer)
      upper.push_back(dim.input);
    bool shuffles = usesShuffles(lanes);
    if (shuffles)
      windowsBefore = getWindowsBefore(lanes);
    at.forEachParallel(upper, [&](ValueRange row) {
      shuffles ? gatherStrips(row) : spreadWindows(row);
    });
  }

private:
  /// Loops in order over the rows of windows that cover a row of elements.
  /// `position` has all coordinates but the last.
  void forEachWindowRow(ValueRange row, const Carried &carried,
                        KernelBuilder::NestBody body) {
    SmallVector<PositionRange> ranges;
    for (auto [dim, i] : llvm::zip_equal(outer, row))
      if (dim.padBegin)
        ranges.push_back(dim.getCovering(at, i));
    at.forEachIn(ranges, carried, [&](ValueRange covering) {
      SmallVector<Value> position(row);
      for (auto [dim, i] : llvm::zip_equal(outer, position))
        if (dim.padBegin) {
          i = covering.front();
          covering = covering.drop_front();
        }
      body(position);
    });
  }

  /// Gathers the strides of a row that have elements, by strips: lanes are
  /// strides.
  void gatherStrips(ValueRange row) {
    Value begin = at.floorDiv(lanes.padBegin, lanes.stride);
    Value elementsEnd = at.add(lanes.input, lanes.padBegin);
    Value end = at.add(at.floorDiv(at.sub(elementsEnd, 1), lanes.stride), 1);
    // Strides before `wholeEnd` have a window, and no element after the input.
    // The last strip of them moves back to their end. The second loop masks
    // what is left, and all where they are fewer than a strip.
    Value wholeEnd =
        at.min(at.floorDiv(elementsEnd, lanes.stride), lanes.output);
    Value numWhole = at.sub(wholeEnd, begin);
    wholeEnd = at.select(at.isAtLeast(numWhole, length), wholeEnd, begin);
    bool hasPart = getConstantIntValue(numWhole).value_or(1) % length != 0;
    at.forEach(begin, wholeEnd, length, [&](Value first) {
      if (hasPart)
        first = at.min(first, at.sub(wholeEnd, length));
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
    at.forEach(wholeEnd, end, length, [&](Value first) {
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
    for (int64_t v = 0; v < lanes.stride; ++v) {
      Value result = zeros;
      for (auto [windows, sum] : llvm::zip_equal(windowsBefore, sums))
        result =
            at.shuffle(result, sum,
                       mapLanes(length, [&, &windows = windows](int64_t lane) {
                         int64_t element = v * length + lane;
                         return windows.elements[element % lanes.stride]
                                    ? length + element / lanes.stride
                                    : lane;
                       }));
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
    if (windows.count <= cost::kMaxStraightWindows) {
      for (int64_t i = windows.count - 1; i >= 0; --i)
        add(at.sub(nearest, i * windows.step));
      return;
    }
    Value numBefore = at.index(windows.count - 1), end = at.add(nearest, 1);
    if (!isInterior) {
      // Only windows that exist in the row.
      numBefore = at.min(
          numBefore, at.floorDiv(at.add(nearest, length - 1), windows.step));
      end = at.min(end, lanes.output);
    }
    at.forEach(at.sub(nearest, at.mul(numBefore, windows.step)), end,
               windows.step, sum, add);
  }

  /// Adds the windows of a row one by one to the elements under them.
  void spreadWindows(ValueRange row) {
    forEachVector(at, lanes.input, length, {}, [&](Value first, Value count) {
      store(zeros, append(row, first), {0, count});
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
  VectorType type;
  int64_t length;
  Value zeros;
};
} // namespace

void pool::emitStridedGather(KernelBuilder &at, Value source, Value target,
                             ArrayRef<LoopDim> dims) {
  StridedGather(at, source, target, dims).create();
}
