// One dimension of the windows that loops are emitted for. Emits the
// computation of the positions of a window's taps, and of the windows that
// cover a position. If a tap may be in padding, its position is moved into the
// input, or tested.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_LOOPDIM_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_LOOPDIM_H

#include "Problem/Problem.h"

namespace mlir::pool {

/// A dimension whose extents and padding are values in the emitted code.
struct LoopDim : ProblemDim {
  Value input, output, padBegin;

  LoopDim() = default;
  LoopDim(const ProblemDim &dim, Value input, Value output, Value padBegin)
      : ProblemDim(dim), input(input), output(output), padBegin(padBegin) {}

  /// Returns a dimension of one window of one element.
  static LoopDim getSingle(KernelBuilder &b) {
    return {ProblemDim(), b.index(1), b.index(1), b.index(0)};
  }

  /// Returns the position of the first tap of window `o` in the input. It is
  /// negative if the tap is in the padding before the input.
  Value getStart(KernelBuilder &b, Value o) const {
    return b.sub(b.mul(o, stride), padBegin);
  }
  /// Returns the first window that does not begin before the input. Windows in
  /// the range [getFirstInterior(), getInteriorEnd()) are inside the input. The
  /// range may be empty, and both bounds may exceed the number of windows.
  Value getFirstInterior(KernelBuilder &b) const {
    return b.ceilDiv(padBegin, stride);
  }
  Value getInteriorEnd(KernelBuilder &b) const {
    Value reach = b.sub(b.add(input, padBegin), getExtent());
    return b.max(b.add(b.floorDiv(b.max(reach, -1), stride), 1), 0);
  }
  /// Returns an i1 that is true if all `span` positions from `start` on are
  /// inside the input.
  Value contains(KernelBuilder &b, Value start, int64_t span) const {
    return b.both(b.isAtLeast(start, 0),
                  b.isAtLeast(b.sub(input, span), start));
  }
  /// The same as contains() for positions that windows cover, but returns null
  /// if no window reaches over an end of the input.
  Value isInterior(KernelBuilder &b, Value start, int64_t span) const {
    return coversPadding ? contains(b, start, span) : Value();
  }
  /// Returns `position`, the position of a tap, if it is inside the input. Else
  /// returns the position of the nearest tap of the same window that is inside
  /// the input. The window must have such a tap.
  Value clampToWindow(KernelBuilder &b, Value position) const {
    if (dilation == 1)
      return clampToInput(b, position);
    // Move the position by multiples of the dilation, to another tap.
    Value before = b.max(b.sub(0, position), 0);
    Value after = b.max(b.sub(position, b.sub(input, 1)), 0);
    position = b.add(position, b.mul(b.ceilDiv(before, dilation), dilation));
    return b.sub(position, b.mul(b.ceilDiv(after, dilation), dilation));
  }
  /// Returns the position inside the input that is nearest to `position`.
  Value clampToInput(KernelBuilder &b, Value position) const {
    return b.min(b.max(position, 0), b.sub(input, 1));
  }
  /// A position inside the input at which a tap can be loaded. If `isInside` is
  /// not null, the tap may be in padding; then ignore the loaded element unless
  /// `isInside` is true.
  struct Tap {
    Value position, isInside;
  };
  /// Returns where to load the tap at `position`. If the tap may be in padding,
  /// there are two ways. If `mayClamp`, the position of another tap of the same
  /// window is returned instead. Otherwise Tap::isInside is a test. With
  /// `isKnownInside`, the caller guarantees that the tap is inside the input.
  Tap getTap(KernelBuilder &b, Value position, bool isKnownInside,
             bool mayClamp) const {
    if (isKnownInside || !coversPadding)
      return {position, {}};
    if (mayClamp)
      return {clampToWindow(b, position), {}};
    Value isInside = contains(b, position, 1);
    return {clampToInput(b, position), isInside};
  }
  /// Returns the windows that have a tap at `position` of the input, in
  /// ascending order. The range may be empty. Requires canInvert().
  PositionRange getCovering(KernelBuilder &b, Value position) const;
};

/// True if LoopDim::getCovering() computes without overflow for windows of
/// `dim`.
bool canInvert(const KernelDim &dim);

/// Emits loops over those taps of a window that are inside the input.
class WindowTaps {
public:
  explicit WindowTaps(KernelBuilder &b) : b(b) {}

  /// Adds a dimension. Its first tap is at position `start` of the input. With
  /// `isKnownInside`, the loop has all taps of this dimension, whether they are
  /// inside the input or not.
  void add(const LoopDim &dim, Value start, bool isKnownInside = false) {
    dims.push_back({start, dim.dilation});
    if (!dim.coversPadding || isKnownInside)
      return ranges.push_back({0, dim.kernel});
    auto getNumTapsBefore = [&](Operand position) {
      Value distance = b.max(b.sub(position, start), 0);
      return b.min(b.ceilDiv(distance, dim.dilation), dim.kernel);
    };
    Value begin = getNumTapsBefore(0);
    Value end = getNumTapsBefore(dim.input);
    ranges.push_back({begin, end});
    isInside = b.both(isInside, b.isAtLeast(b.sub(end, begin), dim.kernel));
  }
  /// Returns the accumulators to begin the loops with. For an extremum, these
  /// have padding if the window has taps in padding. In all other cases, they
  /// have no elements.
  Accumulator getInitial(const LaneReduction &reduction) const {
    Accumulator lanes = reduction.getEmpty(b);
    // A sum's padding equals its initial value, so no select is needed.
    if (isInside && reduction.isIdempotent())
      lanes.value = b.select(isInside, lanes.value, reduction.getFill(b));
    return lanes;
  }
  /// Returns the position, in dimension `d`, of the first tap inside the input.
  Value getFirst(unsigned d) const { return getPosition(d, ranges[d].begin); }
  /// Emits nested loops over the taps. `body` gets the position of a tap: one
  /// coordinate for each dimension.
  void forEach(const LoopState &carried,
               function_ref<void(ArrayRef<Value> positions)> body) const {
    b.forEachIn(ranges, carried, [&](ValueRange taps) {
      SmallVector<Value> positions;
      for (auto [d, tap] : llvm::enumerate(taps))
        positions.push_back(getPosition(d, tap));
      body(positions);
    });
  }

private:
  Value getPosition(unsigned d, Operand tap) const {
    auto [start, dilation] = dims[d];
    return b.add(start, b.mul(tap, dilation));
  }

  KernelBuilder &b;
  /// For each dimension, the position of the window's first tap, and the
  /// dilation.
  SmallVector<std::pair<Value, int64_t>> dims;
  SmallVector<PositionRange> ranges;
  /// An i1 that is true if all taps are inside the input. Null if they are
  /// known to be.
  Value isInside;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_LOOPDIM_H
