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
  static LoopDim getSingle(KernelBuilder &at) {
    return {ProblemDim(), at.index(1), at.index(1), at.index(0)};
  }

  /// Where window `o` begins.
  Value getStart(KernelBuilder &at, Value o) const {
    return at.sub(at.mul(o, stride), padBegin);
  }
  /// The first window that is inside the input, if any is, and the one after
  /// the last; at least 0.
  Value getFirstInterior(KernelBuilder &at) const {
    return at.ceilDiv(padBegin, stride);
  }
  Value getInteriorEnd(KernelBuilder &at) const {
    Value reach = at.sub(at.add(input, padBegin), getExtent());
    return at.max(at.add(at.floorDiv(at.max(reach, -1), stride), 1), 0);
  }
  /// True if `span` positions from `start` on are inside the input.
  Value contains(KernelBuilder &at, Value start, int64_t span) const {
    return at.both(at.isAtLeast(start, 0),
                   at.isAtLeast(at.sub(input, span), start));
  }
  /// True if `span` positions of windows, from `start` on, are inside the
  /// input. Null if they always are.
  Value isInterior(KernelBuilder &at, Value start, int64_t span) const {
    return coversPadding ? contains(at, start, span) : Value();
  }
  /// The position of a tap, moved to the nearest of the same window that is
  /// inside the input; there is one.
  Value clampToWindow(KernelBuilder &at, Value position) const {
    if (dilation == 1)
      return clampToInput(at, position);
    // By whole dilations.
    Value before = at.max(at.sub(0, position), 0);
    Value after = at.max(at.sub(position, at.sub(input, 1)), 0);
    position = at.add(position, at.mul(at.ceilDiv(before, dilation), dilation));
    return at.sub(position, at.mul(at.ceilDiv(after, dilation), dilation));
  }
  /// The nearest position inside the input.
  Value clampToInput(KernelBuilder &at, Value position) const {
    return at.min(at.max(position, 0), at.sub(input, 1));
  }
  /// A position that can be read for a tap. The element there does not matter
  /// unless the tap `isInside` the input, or that is null.
  struct Tap {
    Value position, isInside;
  };
  /// Returns the tap at `position`, which may be known to be inside the input.
  /// If `mayClamp`, another tap of the window stands for one in padding.
  Tap getTap(KernelBuilder &at, Value position, bool isKnownInside,
             bool mayClamp) const {
    if (isKnownInside || !coversPadding)
      return {position, {}};
    if (mayClamp)
      return {clampToWindow(at, position), {}};
    Value isInside = contains(at, position, 1);
    return {clampToInput(at, position), isInside};
  }
  /// The windows that cover `position`, in order; see canInvert().
  PositionRange getCovering(KernelBuilder &at, Value position) const;
};

/// True if LoopDim::getCovering() does not overflow for windows of `dim`.
bool canInvert(const KernelDim &dim);

/// The taps of a window that are inside the input, and loops over them.
class WindowTaps {
public:
  explicit WindowTaps(KernelBuilder &at) : at(at) {}

  /// Adds a dimension, where the window begins at `start`. `isKnownInside`
  /// tells that no tap is in padding there.
  void add(const LoopDim &dim, Value start, bool isKnownInside = false) {
    dims.push_back({start, dim.dilation});
    if (!dim.coversPadding || isKnownInside)
      return ranges.push_back({0, dim.kernel});
    auto getNumTapsBefore = [&](Operand position) {
      Value distance = at.max(at.sub(position, start), 0);
      return at.min(at.ceilDiv(distance, dim.dilation), dim.kernel);
    };
    Value begin = getNumTapsBefore(0);
    Value end = getNumTapsBefore(dim.input);
    ranges.push_back({begin, end});
    isInside = at.both(isInside, at.isAtLeast(at.sub(end, begin), dim.kernel));
  }
  /// Returns accumulators of no elements, or of padding if the window has any.
  Accumulator getInitial(const LaneReduction &reduction) const {
    Accumulator lanes = reduction.getEmpty(at);
    // A sum's padding equals its initial value, so no select is needed.
    if (isInside && reduction.isIdempotent())
      lanes.value = at.select(isInside, lanes.value, reduction.getFill(at));
    return lanes;
  }
  /// Returns the position of the first tap in dimension `d`.
  Value getFirst(unsigned d) const { return getPosition(d, ranges[d].begin); }
  /// Nested loops over the taps. `body` takes a position in each dimension.
  void forEach(const Carried &carried,
               function_ref<void(ArrayRef<Value> positions)> body) const {
    at.forEachIn(ranges, carried, [&](ValueRange taps) {
      SmallVector<Value> positions;
      for (auto [d, tap] : llvm::enumerate(taps))
        positions.push_back(getPosition(d, tap));
      body(positions);
    });
  }

private:
  Value getPosition(unsigned d, Operand tap) const {
    auto [start, dilation] = dims[d];
    return at.add(start, at.mul(tap, dilation));
  }

  KernelBuilder &at;
  /// Where the window begins in each dimension, and the dilation there.
  SmallVector<std::pair<Value, int64_t>> dims;
  SmallVector<PositionRange> ranges;
  /// True if all taps are inside the input. Null if that is known.
  Value isInside;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_LOOPDIM_H
