// A dimension of the windows that loops are built for. It gives the positions
// of a window, and the windows that cover a position. Positions that may lie in
// padding are moved into the input or tested.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_LOOPDIM_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_LOOPDIM_H

#include "Problem/Problem.h"

namespace mlir::pool {

/// A dimension with its extents as values.
struct LoopDim : ProblemDim {
  Value input, output, padBegin;

  LoopDim() = default;
  LoopDim(const ProblemDim &dim, Value input, Value output, Value padBegin)
      : ProblemDim(dim), input(input), output(output), padBegin(padBegin) {}

  /// A dimension of one window of one element.
  static LoopDim getSingle(KernelBuilder &b) {
    return {ProblemDim(), b.index(1), b.index(1), b.index(0)};
  }

  /// Where window `o` begins.
  Value getStart(KernelBuilder &b, Value o) const {
    return b.sub(b.mul(o, stride), padBegin);
  }
  /// The first window that is inside the input, if any is, and the one after
  /// the last; at least 0.
  Value getFirstInterior(KernelBuilder &b) const {
    return b.ceilDiv(padBegin, stride);
  }
  Value getInteriorEnd(KernelBuilder &b) const {
    Value reach = b.sub(b.add(input, padBegin), getExtent());
    return b.max(b.add(b.floorDiv(b.max(reach, -1), stride), 1), 0);
  }
  /// True if `span` positions from `start` on are inside the input.
  Value contains(KernelBuilder &b, Value start, int64_t span) const {
    return b.both(b.isAtLeast(start, 0),
                  b.isAtLeast(b.sub(input, span), start));
  }
  /// True if `span` positions of windows, from `start` on, are inside the
  /// input. Null if they always are.
  Value isInterior(KernelBuilder &b, Value start, int64_t span) const {
    return coversPadding ? contains(b, start, span) : Value();
  }
  /// The position of a tap, moved to the nearest of the same window that is
  /// inside the input; there is one.
  Value clampToWindow(KernelBuilder &b, Value position) const {
    if (dilation == 1)
      return clampToInput(b, position);
    // By whole dilations.
    Value before = b.max(b.sub(0, position), 0);
    Value after = b.max(b.sub(position, b.sub(input, 1)), 0);
    position = b.add(position, b.mul(b.ceilDiv(before, dilation), dilation));
    return b.sub(position, b.mul(b.ceilDiv(after, dilation), dilation));
  }
  /// The nearest position inside the input.
  Value clampToInput(KernelBuilder &b, Value position) const {
    return b.min(b.max(position, 0), b.sub(input, 1));
  }
  /// A position that can be read for a tap. The element there does not matter
  /// unless the tap `isInside` the input, or that is null.
  struct Tap {
    Value position, isInside;
  };
  /// Returns the tap at `position`, which may be known to be inside the input.
  /// If `mayClamp`, another tap of the window stands for one in padding.
  Tap getTap(KernelBuilder &b, Value position, bool isKnownInside,
             bool mayClamp) const {
    if (isKnownInside || !coversPadding)
      return {position, {}};
    if (mayClamp)
      return {clampToWindow(b, position), {}};
    Value isInside = contains(b, position, 1);
    return {clampToInput(b, position), isInside};
  }
  /// The windows that cover `position`, in order; see canInvert().
  PositionRange getCovering(KernelBuilder &b, Value position) const;
};

/// True if LoopDim::getCovering() does not overflow for windows of `dim`.
bool canInvert(const KernelDim &dim);

/// The taps of a window that are inside the input, and loops over them.
class WindowTaps {
public:
  explicit WindowTaps(KernelBuilder &b) : b(b) {}

  /// Adds a dimension, where the window begins at `start`. `isKnownInside`
  /// tells that no tap is in padding there.
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
  /// Returns accumulators of no elements, or of padding if the window has any.
  Accumulator getInitial(const LaneReduction &reduction) const {
    Accumulator lanes = reduction.getEmpty(b);
    // A sum's padding equals its initial value, so no select is needed.
    if (isInside && reduction.isIdempotent())
      lanes.value = b.select(isInside, lanes.value, reduction.getFill(b));
    return lanes;
  }
  /// Returns the position of the first tap in dimension `d`.
  Value getFirst(unsigned d) const { return getPosition(d, ranges[d].begin); }
  /// Nested loops over the taps. `body` takes a position in each dimension.
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
  /// Where the window begins in each dimension, and the dilation there.
  SmallVector<std::pair<Value, int64_t>> dims;
  SmallVector<PositionRange> ranges;
  /// True if all taps are inside the input. Null if that is known.
  Value isInside;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_LOOPDIM_H
