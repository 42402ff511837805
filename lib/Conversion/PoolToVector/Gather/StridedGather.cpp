// Loops over rows of elements that gather from windows. Rows of windows are
// added, and shuffles spread the sums over the elements of a stride. If a
// stride has many elements, a window's scalar goes to the lanes that a mask
// chooses.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Gather/GatherPlan.h"

#include "Problem/CostModel.h"

#include <numeric>

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Windows that cover the same elements of their strides, with strides as
/// lanes. Window `first`, `first + step` and so on before the stride's own
/// window; `covers` tells which elements of the stride each of them covers.
struct WindowsBefore {
  int64_t first, step, count;
  SmallVector<bool> covers;

  int64_t getLast() const { return first + (count - 1) * step; }
};

static SmallVector<WindowsBefore> getWindowsBefore(const KernelDim &dim) {
  int64_t kernel = dim.kernel, stride = dim.stride, dilation = dim.dilation;
  // After as many taps as strides without common divisor the same elements of a
  // stride are covered again.
  int64_t common = std::gcd(stride, dilation);
  int64_t period = stride / common, step = dilation / common;
  int64_t numTaps = std::min(period, kernel);
  auto getWindow = [&](int64_t tap) { return tap * dilation / stride; };
  auto getCount = [&](int64_t tap) {
    return (kernel - tap + period - 1) / period;
  };
  SmallVector<WindowsBefore> result;
  // Taps from `tap` up to, but not including, `end` are of the same window.
  for (int64_t tap = 0, end = 0; tap < numTaps; tap = end) {
    while (end < numTaps && getWindow(end) == getWindow(tap))
      ++end;
    // The last windows may lack the last taps.
    int64_t most = getCount(tap), fewest = getCount(end - 1);
    for (auto [begin, count] :
         {std::pair(int64_t(0), fewest), std::pair(fewest, most)}) {
      if (begin == count)
        continue;
      WindowsBefore windows{getWindow(tap) + begin * step, step, count - begin,
                            SmallVector<bool>(stride)};
      for (int64_t t = tap; t < end; ++t)
        if (getCount(t) >= count)
          windows.covers[t * dilation % stride] = true;
      result.push_back(windows);
    }
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
    if (lanes.stride <= cost::kMaxGatherStride) {
      windowsBefore = getWindowsBefore(lanes);
      int64_t last = 0;
      for (const WindowsBefore &windows : windowsBefore)
        last = std::max(last, windows.getLast());
      return at.forEachParallel(upper, [&](ValueRange row) {
        forEachStride(length, last, [&](Value first, bool isInner) {
          emitStrip(row, first, isInner);
        });
      });
    }
    bool needsSums = llvm::any_of(
        outer, [](const LoopDim &dim) { return dim.padBegin != nullptr; });
    auto allocateSums = [&] {
      auto rowType =
          MemRefType::get(ShapedType::kDynamic, type.getElementType());
      if (needsSums)
        windows = memref::AllocOp::create(at, rowType, lanes.output,
                                          at.getI64IntegerAttr(64));
    };
    at.forEachTogether(upper, needsSums ? cost::kRowsTogether : 1, allocateSums,
                       [&](ValueRange row) {
                         if (needsSums) {
                           sumWindows(row);
                         } else {
                           windows = source;
                           windowRow = llvm::to_vector(row);
                         }
                         forEachStride(
                             /*count=*/1,
                             (lanes.getExtent() - 1) / lanes.stride,
                             [&](Value stride, bool isInner) {
                               emitStride(row, stride, isInner);
                             });
                       });
  }

private:
  /// Loops in order over the windows that cover a row of elements in all
  /// dimensions but the last. `position` has the coordinates of a row of
  /// windows.
  void forEachWindowRow(ValueRange row, MutableArrayRef<Value> carried,
                        function_ref<void(ValueRange position)> body) {
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

  /// Loops over the strides of a row that have elements, whether or not windows
  /// begin there, `count` at once from `first` on. In the interior all elements
  /// exist, and all windows up to `last` before each stride.
  void forEachStride(int64_t count, int64_t last,
                     function_ref<void(Value first, bool isInterior)> emit) {
    Value begin = at.floorDiv(lanes.padBegin, lanes.stride);
    Value elementsEnd = at.add(lanes.input, lanes.padBegin);
    Value end = at.add(at.floorDiv(at.sub(elementsEnd, 1), lanes.stride), 1);
    // Strides before `wholeEnd` have a window, and no element after the input.
    // The last strip of them moves back to their end. The second loop masks
    // what is left, and all where they are fewer than a strip.
    Value wholeEnd =
        at.min(at.floorDiv(elementsEnd, lanes.stride), lanes.output);
    Value numWhole = at.sub(wholeEnd, begin), most = at.index(count);
    wholeEnd = at.select(at.isAtLeast(numWhole, most), wholeEnd, begin);
    bool hasPart =
        count > 1 && getConstantIntValue(numWhole).value_or(1) % count != 0;
    at.forEach(begin, wholeEnd, count, [&](Value first) {
      if (hasPart)
        first = at.min(first, at.sub(wholeEnd, count));
      Value place = getPlace(first);
      Value isInterior =
          at.both(at.isAtLeast(first, last),
                  at.isAtLeast(lanes.output, at.add(first, count)));
      Value hasElements = at.both(
          at.isAtLeast(place, 0),
          at.isAtLeast(lanes.input, at.add(place, count * lanes.stride)));
      at.ifElse(at.both(isInterior, hasElements),
                [&](bool isInner) { emit(first, isInner); });
    });
    at.forEach(wholeEnd, end, count,
               [&](Value first) { emit(first, /*isInterior=*/false); });
  }

  /// The elements of `length` strides.
  void emitStrip(ValueRange row, Value first, bool isInterior) {
    SmallVector<Value> sums(windowsBefore.size(), zeros);
    forEachWindowRow(row, sums, [&](ValueRange position) {
      for (auto [windows, sum] : llvm::zip_equal(windowsBefore, sums))
        sum = addWindows(position, windows, first, isInterior, sum);
    });
    for (int64_t v = 0; v < lanes.stride; ++v) {
      Value result;
      for (auto [windows, sum] : llvm::zip_equal(windowsBefore, sums)) {
        Value part = at.shuffle(
            sum, zeros, mapLanes(length, [&, &windows = windows](int64_t lane) {
              lane += v * length;
              return windows.covers[lane % lanes.stride] ? lane / lanes.stride
                                                         : length;
            }));
        result = result ? at.addFloats(result, part) : part;
      }
      Value begin = at.add(getPlace(first), v * length);
      store(result, append(row, begin),
            isInterior ? LaneRange()
                       : LaneRange::getInside(at, begin, lanes.input));
    }
  }

  /// Lanes of windows before those from `first` on, added to `sum`.
  Value addWindows(ValueRange position, const WindowsBefore &windows,
                   Value first, bool isInterior, Value sum) {
    auto add = [&](Value before, Value sum) -> Value {
      Value here = at.sub(first, before);
      LaneRange range = isInterior
                            ? LaneRange()
                            : LaneRange::getInside(at, here, lanes.output);
      return at.addFloats(sum, load(source, append(position, here), range));
    };
    if (windows.count <= cost::kMaxStraightWindows) {
      for (int64_t i = 0; i < windows.count; ++i)
        sum = add(at.index(windows.first + i * windows.step), sum);
      return sum;
    }
    Value begin = at.index(0), end = at.index(windows.count);
    if (!isInterior) {
      // Only windows that exist in the row.
      Value own = at.sub(first, windows.first);
      begin = at.ceilDiv(at.max(at.add(at.sub(own, lanes.output), 1), 0),
                         windows.step);
      end =
          at.min(end, at.ceilDiv(at.max(at.add(own, length), 0), windows.step));
    }
    at.forEach(begin, end, 1, sum, [&](Value i) {
      sum = add(at.add(at.mul(i, windows.step), windows.first), sum);
    });
    return sum;
  }

  /// Where the elements of a stride begin.
  Value getPlace(Value stride) {
    return at.sub(at.mul(stride, lanes.stride), lanes.padBegin);
  }
  /// Sums the windows over a row of elements in all dimensions but the last.
  void sumWindows(ValueRange row) {
    forEachVector(
        at, lanes.output, length, {}, [&](Value first, Value numLanes) {
          LaneRange range = LaneRange::getFirst(length, numLanes);
          Value sum = zeros;
          forEachWindowRow(row, sum, [&](ValueRange position) {
            Value loaded = load(source, append(position, first), range);
            sum = at.addFloats(sum, loaded);
          });
          storeLanes(at, sum, windows, first, range);
        });
  }

  /// The elements of one stride.
  void emitStride(ValueRange row, Value stride, bool isInterior) {
    Value place = getPlace(stride);
    auto emitVector = [&](Value offset, Value numLanes) {
      store(gatherInStride(stride, offset, isInterior),
            append(row, at.add(place, offset)),
            LaneRange::getFirst(length, numLanes));
    };
    if (isInterior && lanes.stride <= cost::kMaxGatherVectors * length) {
      for (int64_t offset = 0; offset < lanes.stride; offset += length)
        emitVector(at.index(offset), at.index(lanes.stride - offset));
      return;
    }
    // The elements of it that there are.
    Value end = at.min(at.sub(lanes.input, place), lanes.stride);
    at.forEach(at.max(at.sub(at.index(0), place), 0), end, length,
               [&](Value offset) { emitVector(offset, at.sub(end, offset)); });
  }

  /// Gathers a vector that begins `offset` after the stride: window by window,
  /// where each covers several lanes; or tap by tap, where each belongs to one
  /// window and one lane.
  Value gatherInStride(Value stride, Value offset, bool isInterior) {
    if (lanes.dilation > lanes.stride)
      return gatherTaps(stride, offset);
    auto add = [&](Value window, Value before, Value sum) {
      Value taps = getTaps(at.add(at.mul(before, lanes.stride), offset));
      return addToLanes(window, taps, sum);
    };
    int64_t last = (lanes.getExtent() - 1) / lanes.stride;
    Value sum = zeros;
    if (isInterior && last < cost::kMaxStraightWindows) {
      for (int64_t before = last; before >= 0; --before)
        sum = add(at.sub(stride, before), at.index(before), sum);
      return sum;
    }
    at.forEach(
        at.max(at.sub(stride, last), 0),
        at.min(at.add(stride, 1), lanes.output), 1, sum,
        [&](Value window) { sum = add(window, at.sub(stride, window), sum); });
    return sum;
  }

  Value gatherTaps(Value stride, Value offset) {
    // The taps of windows that exist. The first one is at least `stride -
    // numWindows + 1` strides after its window. The last one is no later than
    // the end of this stride.
    Value numBefore = at.max(at.add(at.sub(stride, lanes.output), 1), 0);
    Value begin = at.ceilDiv(at.mul(numBefore, lanes.stride), lanes.dilation);
    Value last = at.add(at.mul(stride, lanes.stride), lanes.stride - 1);
    Value end =
        at.min(at.add(at.divUnsigned(last, lanes.dilation), 1), lanes.kernel);
    Value sum = zeros;
    at.forEach(begin, end, 1, sum, [&](Value i) {
      // In the order of the windows, which is the other way round.
      Value tap = at.sub(at.sub(at.add(begin, end), 1), i);
      Value distance = at.mul(tap, lanes.dilation);
      Value window = at.sub(stride, at.floorDiv(distance, lanes.stride));
      Value lane = at.sub(at.rem(distance, lanes.stride), offset);
      Value isLane = createOneLaneMask(at, length, lane);
      sum = addToLanes(window, isLane, sum);
    });
    return sum;
  }

  /// Adds the value of `window` to `sum` in `lanes`.
  Value addToLanes(Value window, Value taps, Value sum) {
    Value added =
        at.broadcast(type, at.load(windows, append(windowRow, window)));
    added = at.addFloats(sum, added);
    return at.select(taps, added, sum);
  }
  /// Lanes of a stride that a window covers, the first being the window's
  /// element `offset`.
  Value getTaps(Value offset) {
    Value mask = createLaneMask(
        at, length, {{}, at.sub(at.index(lanes.getExtent()), offset)});
    if (lanes.dilation == 1)
      return mask;
    // Among lanes with consecutive remainders, the lanes with remainder zero.
    VectorType integers = type.clone(at.getI32Type());
    Value own = at.rem(offset, lanes.dilation);
    Value missing =
        at.rem(at.sub(at.index(lanes.dilation), own), lanes.dilation);
    Value remainders =
        at.lanes(integers, [&](int64_t lane) { return lane % lanes.dilation; });
    Value isTap =
        at.isEqual(remainders, at.splat(integers, at.min(missing, length)));
    return at.bitAnd(mask, isTap);
  }

  Value load(Value buffer, ValueRange position, const LaneRange &range) {
    return loadLanes(at, length, buffer, position, range, /*fill=*/0);
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
  /// The row of windows to gather from: `windowRow` of a buffer. It is one of
  /// the source if no other rows cover the same elements.
  Value windows;
  SmallVector<Value> windowRow;
};
} // namespace

void pool::emitStridedGather(KernelBuilder &at, Value source, Value target,
                             ArrayRef<LoopDim> dims) {
  StridedGather(at, source, target, dims).create();
}
