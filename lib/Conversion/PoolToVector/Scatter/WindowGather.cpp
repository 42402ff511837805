// The gradient of a maximum whose windows overlap, read where others write:
// each position adds what the windows that cover it give, if they name it.
//
// A row of windows is compared with the taps of its windows strip by strip, and
// added to the rows that it covers. Codes of three neighbouring strips are in
// registers; elements are loaded where each tap needs them. Sums that further
// rows of windows add to wait in a buffer, where each is loaded from where it
// was stored.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/LaneMask.h"
#include "Problem/CostModel.h"
#include "Scatter/IndexCodes.h"
#include "Scatter/IndexedScatter.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class WindowGather : private PlaneScatter {
public:
  WindowGather(const ScatterEmitter &emitter, const WindowShape &shape)
      : PlaneScatter(emitter, shape), codes(emitter, shape) {}

  /// Loops that write every position. Slices with an index that names none of
  /// its own window are then written by `anyIndices`.
  void create(IndexedScatter &anyIndices);

private:
  /// Codes of a strip and its neighbours; null where no window exists.
  struct Neighbours {
    Value before, here, after;
  };

  void allocateBuffers();
  /// True if all indices of the plane at `outer` are of their own windows.
  Value emitPlane(ValueRange outer);
  /// Strips of windows, and of strides of columns.
  int64_t getNumCoded() const;
  int64_t getNumGathered() const;
  WindowStrip getStrip(int64_t number);
  /// Strips that have all they need, and the next one too: [begin, end).
  std::pair<int64_t, int64_t> getInterior() const;

  /// Adds row `r` of windows, and stores the rows that it is the last to cover.
  void gatherRow(ValueRange outer, Value r, SmallVector<Value> &carried);
  void gatherStrip(ValueRange outer, Value r, const WindowStrip &strip,
                   const Neighbours &codes);
  /// Adds to `sums`: a vector for each row that windows reach over and class of
  /// columns.
  void addStrip(ValueRange outer, Value r, const WindowStrip &strip,
                const Neighbours &codes, MutableArrayRef<Value> sums);
  /// Codes of the windows `shift` after the windows of the strip; null if none
  /// exists.
  Value getShifted(const Neighbours &codes, int64_t shift);
  /// The elements of these windows; null if none exists.
  Value loadElements(ValueRange outer, Value r, const WindowStrip &strip,
                     int64_t shift);

  IndexCodes codes;
  /// Sums for the next step.
  Value carriedSums;
};
} // namespace

void WindowGather::create(IndexedScatter &anyIndices) {
  anyIndices.createParts(
      shape.numOuter, getNumTogether(), [&] { allocateBuffers(); },
      [&](ValueRange outer) { return emitPlane(outer); });
}

void WindowsPlan::emit(ScatterEmitter &emitter) const {
  std::string reason;
  WindowGather(emitter, *WindowShape::get(emitter.problem, reason))
      .create(*emitter.scatter);
}

void WindowGather::allocateBuffers() {
  if (shape.getNumCarried() == 0)
    return;
  carriedSums =
      allocate({MemRefType::get({shape.getNumCarried(), shape.getNumGathered()},
                                sumType.getElementType())})
          .front();
}

Value WindowGather::emitPlane(ValueRange outer) {
  for (int64_t i = 0; i < shape.getNumCarried(); ++i)
    fillRow(carriedSums, at.index(i), 0, shape.getNumGathered(), getZeros());
  SmallVector<Value> carried = codes.beginPlane(outer);
  at.forEach(at.index(0), at.index(shape.row.output), 1, carried,
             [&](Value r) { gatherRow(outer, r, carried); });
  // Rows that no window begins in, after the last one's.
  at.forEach(at.index(shape.row.output), at.index(shape.getNumSteps()), 1,
             [&](Value r) {
               forEachStrip([&](const WindowStrip &strip) {
                 gatherStrip(outer, r, strip, {});
               });
             });
  return codes.areRight(carried);
}

//===----------------------------------------------------------------------===//
// Strips
//===----------------------------------------------------------------------===//

int64_t WindowGather::getNumCoded() const {
  return llvm::divideCeil(shape.column.output, length);
}

int64_t WindowGather::getNumGathered() const {
  return shape.getNumGathered() / length;
}

WindowStrip WindowGather::getStrip(int64_t number) {
  return {at.index(number * length), number * length};
}

std::pair<int64_t, int64_t> WindowGather::getInterior() const {
  const ResolvedDim &column = shape.column;
  // Limits of the first window and of the windows before it that cover its
  // stride. Then limits of the last window of the next strip, and of the
  // elements that it reaches.
  int64_t before = std::max<int64_t>(
      -shape.firstShift, llvm::divideCeil(column.padBegin, column.stride));
  int64_t after = std::max<int64_t>(shape.lastShift, 0);
  int64_t covered =
      (column.input + column.padBegin - WindowShape::getReach(column) - 1) /
          column.stride +
      1;
  int64_t numWindows =
      std::min({column.output - after, covered, column.input / column.stride});
  int64_t begin = llvm::divideCeil(std::max<int64_t>(before, 0), length);
  return {begin, std::max(begin, numWindows / length - 1)};
}

void WindowGather::gatherRow(ValueRange outer, Value r,
                             SmallVector<Value> &carried) {
  int64_t numCoded = getNumCoded();
  int64_t numStrips = std::max(numCoded, getNumGathered());
  auto codeStrip = [&](const WindowStrip &strip) {
    return codes.code(outer, r, strip, carried);
  };
  auto [begin, end] = getInterior();
  Neighbours near{{}, codeStrip(getStrip(0)), {}};
  for (int64_t s = 0; s < numStrips; ++s) {
    if (s == std::max<int64_t>(begin, 1) && end > s + 1) {
      SmallVector<Value> all{near.before, near.here};
      llvm::append_range(all, carried);
      at.forEach(at.index(s * length), at.index(end * length), length, all,
                 [&](Value first) {
                   carried.assign(all.begin() + 2, all.end());
                   WindowStrip next{at.add(first, length), std::nullopt};
                   Neighbours inside{all[0], all[1], codeStrip(next)};
                   gatherStrip(outer, r, {first, std::nullopt}, inside);
                   all[0] = inside.here;
                   all[1] = inside.after;
                   llvm::copy(carried, all.begin() + 2);
                 });
      near = {all[0], all[1], {}};
      carried.assign(all.begin() + 2, all.end());
      s = end;
    }
    near.after = s + 1 < numCoded ? codeStrip(getStrip(s + 1)) : Value();
    if (s < getNumGathered())
      gatherStrip(outer, r, getStrip(s), near);
    near = {near.here, near.after, {}};
  }
}

void WindowGather::gatherStrip(ValueRange outer, Value r,
                               const WindowStrip &strip,
                               const Neighbours &codes) {
  int64_t stride = shape.row.stride, numClasses = shape.column.stride;
  int64_t numCarried = shape.getNumCarried();
  SmallVector<Value> sums(shape.getNumSums() * numClasses, getZeros());
  for (int64_t i = 0; i < numCarried; ++i)
    sums[i] = loadRow(carriedSums, at.index(i), strip.first);
  addStrip(outer, r, strip, codes, sums);
  for (int64_t i = 0; i < stride; ++i) {
    Value row = at.add(at.sub(at.mul(r, stride), shape.row.padBegin), i);
    // Before the first row or after the last there is none.
    Value isThere = at.isBelow(row, at.index(shape.row.input));
    at.ifTrue(isThere, [&] {
      storeStrip(outer, row, strip,
                 ArrayRef(sums).slice(i * numClasses, numClasses));
    });
  }
  for (int64_t i = 0; i < numCarried; ++i)
    storeRow(sums[stride * numClasses + i], carriedSums, at.index(i),
             strip.first);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void WindowGather::addStrip(ValueRange outer, Value r, const WindowStrip &strip,
                            const Neighbours &near,
                            MutableArrayRef<Value> sums) {
  int64_t numClasses = shape.column.stride;
  for (int64_t c = 0; c < numClasses; ++c)
    for (const WindowShape::Tap &tap : shape.classes[c]) {
      Value shifted = getShifted(near, tap.shift);
      Value element =
          shifted ? loadElements(outer, r, strip, tap.shift) : Value();
      if (!element)
        continue;
      for (int64_t t = 0; t < shape.row.kernel; ++t) {
        Value isNamed =
            at.isEqual(shifted, getSplat(codes.getCode(t, tap.tap)));
        Value &sum = sums[t * shape.row.dilation * numClasses + c];
        Value added = at.addFloats(sum, element);
        sum = at.select(isNamed, added, sum);
      }
    }
}

Value WindowGather::getShifted(const Neighbours &near, int64_t shift) {
  if (shift == 0)
    return near.here;
  Value low = shift < 0 ? near.before : near.here;
  Value high = shift < 0 ? near.here : near.after;
  if (!low && !high)
    return {};
  Value none = getSplat(kNone);
  SmallVector<int64_t> lanes;
  int64_t begin = shift < 0 ? length + shift : shift;
  for (int64_t lane = 0; lane < length; ++lane)
    lanes.push_back(begin + lane);
  return at.shuffle(low ? low : none, high ? high : none, lanes);
}

Value WindowGather::loadElements(ValueRange outer, Value r,
                                 const WindowStrip &strip, int64_t shift) {
  std::optional<int64_t> first;
  if (strip.known)
    first = *strip.known + shift;
  ExistingLanes lanes(first, length, shape.column.output);
  if (lanes.areNone())
    return {};
  SmallVector<Value> position =
      append(getRowIndices(outer, r), at.add(strip.first, shift));
  return extendElement(
      at, at.getLoc(),
      loadLanes(at, length, source, position, getRange(lanes), /*fill=*/0),
      sumType.getElementType());
}
