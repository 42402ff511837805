// Builds the window rules as affine expressions of the input extent.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/SymbolicWindowRules.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "pool/Dialect/Pool/Utils/IndexBounds.h"
#include "pool/Support/WindowTiles.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns the sum of the explicit pads minus the extent of a window. The input
/// extent plus this number is the distance from the first possible start of a
/// window to the last.
static int64_t getExcess(const WindowDim &dim, const WindowModes &modes) {
  auto [padBegin, padEnd] = getGivenPads(dim, modes);
  // Compute with unsigned integers, because an intermediate result may wrap
  // around. The final result fits int64, because the window rules have accepted
  // some input extent.
  return static_cast<int64_t>(static_cast<uint64_t>(padBegin) +
                              static_cast<uint64_t>(padEnd) -
                              static_cast<uint64_t>(*getWindowExtent(dim)));
}

OutputBounds pool::getOutputBounds(AffineExpr input, const WindowDim &dim,
                                   const WindowModes &modes) {
  if (modes.isSame()) {
    AffineExpr output =
        keepsExtent(modes.sameOutput) ? input : input.ceilDiv(dim.stride);
    return {output, output};
  }
  AffineExpr slack = input + getExcess(dim, modes);
  AffineExpr output = (roundsUp(modes.rounding) ? slack.ceilDiv(dim.stride)
                                                : slack.floorDiv(dim.stride)) +
                      1;
  bool mayLoseOne = dropsWindowInEndPadding(modes.rounding);
  return {mayLoseOne ? output - 1 : output, output};
}

SmallVector<SymbolicDim> pool::resolveDims(OpBuilder &b, Location loc,
                                           ArrayRef<OpFoldResult> shape,
                                           const WindowAttrs &window) {
  SmallVector<SymbolicDim> dims;
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i)
    dims.push_back(resolveDim(b, loc, shape[window.getSpatialDim(i)],
                              window.getDim(i), window.modes));
  return dims;
}

SmallVector<OpFoldResult> pool::getOutputShape(ArrayRef<OpFoldResult> shape,
                                               ArrayRef<SymbolicDim> dims,
                                               const WindowAttrs &window) {
  SmallVector<OpFoldResult> output(shape);
  for (auto [i, dim] : llvm::enumerate(dims))
    output[window.getSpatialDim(i)] = dim.output;
  return output;
}

SymbolicDim pool::resolveDim(OpBuilder &b, Location loc, OpFoldResult input,
                             const WindowDim &dim, const WindowModes &modes) {
  AffineBuilder a(b, loc);
  SymbolicDim result;
  result.input = input;
  result.kernel = dim.kernel;
  result.stride = dim.stride;
  result.dilation = dim.dilation;

  if (std::optional<int64_t> extent = getConstantIntValue(input)) {
    if (RuleOr<ResolvedDim> known = resolveDim(*extent, dim, modes)) {
      result.output = a.known(known->output);
      result.padBegin = a.known(known->padBegin);
      result.padEnd = a.known(known->padEnd);
      result.coveredEnd = a.known(known->getCoveredEnd());
      result.mayOverhang = known->overhang > 0;
      result.known = *known;
      return result;
    }
    // The extent became known only after verification, and the window rules
    // reject it. So there are no windows. The zeros below are placeholders:
    // run-time checks, if they were inserted, stop the program before it uses
    // them.
    result.output = result.padBegin = result.padEnd = result.coveredEnd =
        a.known(0);
    result.mayOverhang = false;
    return result;
  }

  result.mayOverhang = !modes.isSame() && roundsUp(modes.rounding);
  int64_t s = dim.stride;
  int64_t extent = *getWindowExtent(dim);
  AffineExpr in = a.symbol(0);
  if (modes.isSame()) {
    AffineExpr out = getOutputBounds(in, dim, modes).upper;
    result.output = a.apply(out, input);
    OpFoldResult total =
        a.applyMax({(out - 1) * s + extent - in, a.number(0)}, input);
    AffineExpr smaller = a.symbol(0).floorDiv(2);
    AffineExpr larger = a.symbol(0) - smaller;
    bool moreAtBegin = padsMoreAtBegin(modes.autoPad);
    result.padBegin = a.apply(moreAtBegin ? larger : smaller, total);
    result.padEnd = a.apply(moreAtBegin ? smaller : larger, total);
    // Automatic padding ends where the last window ends, so windows cover all
    // of it and nothing after it.
    result.coveredEnd = result.padEnd;
    return result;
  }

  auto [padBegin, padEnd] = getGivenPads(dim, modes);
  result.padBegin = a.known(padBegin);
  result.padEnd = a.known(padEnd);

  AffineExpr out = getOutputBounds(in, dim, modes).upper;
  result.output = a.apply(out, input);
  // Count positions from the beginning of the padding. `ceil((in + padBegin) /
  // s)` is the number of window starts before the end padding. If there are
  // more windows than that, the last one starts in the end padding, so drop it.
  if (dropsWindowInEndPadding(modes.rounding)) {
    OpFoldResult least = a.applyMin({out, (in + padBegin).ceilDiv(s)}, input);
    result.output =
        a.applyMax({a.symbol(0) - 1, a.symbol(1)}, {result.output, least});
  }
  // With rounding floor, windows end within the end padding. So without end
  // padding, they cover nothing after the input.
  result.coveredEnd =
      !roundsUp(modes.rounding) && padEnd == 0
          ? a.known(0)
          : a.applyMax(
                {(a.symbol(1) - 1) * s + (extent - padBegin) - in, a.number(0)},
                {input, result.output});
  return result;
}

bool pool::mayCoverPadding(const SymbolicDim &dim) {
  return !isConstantIntValue(dim.padBegin, 0) ||
         !isConstantIntValue(dim.coveredEnd, 0);
}

bool pool::mayBeEmpty(const SymbolicDim &dim) {
  if (dim.known)
    return getFirstEmptyWindow(*dim.known, Divisor::Valid).has_value();
  return mayCoverPadding(dim);
}

std::optional<int64_t> pool::getConstantCount(const SymbolicDim &dim,
                                              Divisor divisor) {
  if (countsOverhang(divisor) ||
      (countsPadding(divisor) ? !dim.mayOverhang : !mayCoverPadding(dim)))
    return dim.kernel;
  if (dim.known && dim.known->output == 1)
    return getCount(*dim.known, divisor, 0);
  return std::nullopt;
}

OpFoldResult pool::getPosition(const AffineBuilder &a, const SymbolicDim &dim,
                               OpFoldResult o, OpFoldResult tap) {
  return a.apply(a.symbol(0) * dim.stride - a.symbol(1) +
                     a.symbol(2) * dim.dilation,
                 {o, dim.padBegin, tap});
}

/// Returns the number of the first tap at or after position `end`, for a window
/// that begins at `start`. The result is not clamped: it may be negative, or
/// greater than the number of the last tap.
static AffineExpr getFirstTapFrom(AffineExpr end, AffineExpr start,
                                  const SymbolicDim &dim) {
  return (end - start).ceilDiv(dim.dilation);
}

OpFoldResult pool::getFirstValidTap(const AffineBuilder &a,
                                    const SymbolicDim &dim, OpFoldResult o) {
  if (isConstantIntValue(dim.padBegin, 0))
    return a.known(0);
  AffineExpr start = a.symbol(0) * dim.stride - a.symbol(1);
  return a.applyMax({getFirstTapFrom(a.number(0), start, dim), a.number(0)},
                    {o, dim.padBegin});
}

LoopBounds pool::getValidTaps(MLIRContext *context, const SymbolicDim &dim,
                              OpFoldResult o, Reach reach) {
  AffineExpr window, pad, input;
  bindDims(context, window, pad, input);
  AffineExpr start = window * dim.stride - pad;
  AffineExpr zero = getAffineConstantExpr(0, context);
  AffineExpr kernel = getAffineConstantExpr(dim.kernel, context);
  SmallVector<AffineExpr, 2> lower = {zero}, upper = {kernel};
  if (reach.begin && !isConstantIntValue(dim.padBegin, 0))
    lower = {getFirstTapFrom(zero, start, dim), zero};
  if (reach.end && !isConstantIntValue(dim.coveredEnd, 0))
    upper = {getFirstTapFrom(input, start, dim), kernel};
  return {AffineMap::get(3, 0, lower, context),
          AffineMap::get(3, 0, upper, context),
          {o, dim.padBegin, dim.input}};
}

SmallVector<WindowRange> pool::getWindowRanges(MLIRContext *context,
                                               const SymbolicDim &dim,
                                               OpFoldResult output) {
  AffineExpr pad, input, end;
  bindDims(context, pad, input, end);
  AffineExpr zero = getAffineConstantExpr(0, context);
  // `first` is the first window that begins at or after the beginning of the
  // input. `past` is the first window whose last position is after the end of
  // the input.
  AffineExpr first = pad.ceilDiv(dim.stride);
  AffineExpr past =
      (input + pad - (dim.kernel - 1) * dim.dilation).ceilDiv(dim.stride);
  bool mayBegin = !isConstantIntValue(dim.padBegin, 0);
  bool mayEnd = !isConstantIntValue(dim.coveredEnd, 0);

  SmallVector<WindowRange> ranges;
  for (bool overBegin : {true, false}) {
    for (bool overEnd : {overBegin, !overBegin}) {
      if ((overBegin && !mayBegin) || (overEnd && !mayEnd))
        continue;
      SmallVector<AffineExpr, 2> lower = {zero}, upper = {end};
      if (overBegin)
        upper.push_back(first);
      else if (mayBegin)
        lower = {first};
      if (overEnd)
        lower.push_back(past);
      else if (mayEnd)
        upper.push_back(past);
      ranges.push_back({{AffineMap::get(3, 0, lower, context),
                         AffineMap::get(3, 0, upper, context),
                         {dim.padBegin, dim.input, output}},
                        {overBegin, overEnd}});
    }
  }
  return ranges;
}

OpFoldResult pool::getCount(const AffineBuilder &a, const SymbolicDim &dim,
                            Divisor divisor, OpFoldResult o) {
  if (std::optional<int64_t> count = getConstantCount(dim, divisor))
    return a.known(*count);
  // The divisor counts positions up to the end of the end padding if it counts
  // padding, otherwise up to the end of the input.
  bool counted = countsPadding(divisor);
  OpFoldResult padEnd = counted ? dim.padEnd : a.known(0);
  AffineExpr start = a.symbol(0) * dim.stride - a.symbol(1);
  OpFoldResult end =
      a.applyMin({getFirstTapFrom(a.symbol(2) + a.symbol(3), start, dim),
                  a.number(dim.kernel)},
                 {o, dim.padBegin, dim.input, padEnd});
  OpFoldResult begin = counted ? a.known(0) : getFirstValidTap(a, dim, o);
  return a.applyMax({a.symbol(0) - a.symbol(1), a.number(0)}, {end, begin});
}

/// True if a window of `extent` positions may lie completely in padding of
/// `pad` elements. False only if `pad` is known to be shorter than the window.
static bool mayMissInput(OpFoldResult pad, int64_t extent) {
  std::optional<int64_t> known = getConstantIntValue(pad);
  return !known || *known >= extent;
}

bool pool::makeNonEmpty(OpBuilder &b, Location loc, OpFoldResult extent,
                        OpFoldResult &offset, OpFoldResult &size) {
  if (isAtLeast(size, 1))
    return false;
  AffineBuilder a(b, loc);
  offset = a.applyMin({a.symbol(0), a.symbol(1) - 1}, {offset, extent});
  size = a.applyMax({a.symbol(0), a.number(1)}, size);
  return true;
}

WindowTile pool::getWindowTile(OpBuilder &b, Location loc, const WindowDim &dim,
                               OpFoldResult input, OpFoldResult output,
                               OpFoldResult padBegin, OpFoldResult padEnd,
                               OpFoldResult offset, OpFoldResult size) {
  makeNonEmpty(b, loc, output, offset, size);
  AffineBuilder a(b, loc);
  if (std::optional<SmallVector<int64_t>> known =
          getConstantIntValues({input, padBegin, offset, size})) {
    WindowDim padded = dim;
    padded.padBegin = (*known)[1];
    ResolvedWindowTile tile =
        getWindowTile(padded, (*known)[0], (*known)[2], (*known)[3]);
    return {a.known(tile.inputOffset), a.known(tile.inputSize),
            a.known(tile.padBegin), a.known(tile.padEnd)};
  }
  AffineExpr zero = a.number(0), one = a.number(1);
  AffineExpr s0 = a.symbol(0), s1 = a.symbol(1), s2 = a.symbol(2);

  // The tile's windows cover the positions [start, end), counted from the first
  // element of the input.
  int64_t extent = *getWindowExtent(dim);
  OpFoldResult covered = a.apply((s0 - 1) * dim.stride + extent, size);
  OpFoldResult start = a.apply(s0 * dim.stride - s1, {offset, padBegin});
  OpFoldResult end = a.apply(s0 + s1, {start, covered});

  WindowTile tile;
  tile.padBegin = tile.padEnd = a.known(0);
  OpFoldResult first = start, last = end;
  if (!isConstantIntValue(padBegin, 0)) {
    tile.padBegin = a.applyMax({-s0, zero}, start);
    first = a.applyMax({s0, zero}, first);
    if (mayMissInput(padBegin, extent))
      last = a.applyMax({s0, one}, last);
  }
  if (!isConstantIntValue(padEnd, 0)) {
    tile.padEnd = a.applyMax({s0 - s1, zero}, {end, input});
    last = a.applyMin({s0, s1}, {last, input});
    if (mayMissInput(padEnd, extent)) {
      // If the windows begin after the input, they cover only padding. The
      // slice is then the last element, because it must not be empty. The begin
      // pad then includes all positions that the windows cover.
      first = a.applyMin({s0, s1 - 1}, {first, input});
      OpFoldResult past = a.applyMax({s0 - s1 + 1, zero}, {start, input});
      past = a.applyMin({s0, one}, past);
      tile.padBegin = a.apply(s0 + s1 * s2, {tile.padBegin, past, covered});
    }
  }
  tile.inputOffset = first;
  // Without padding, the slice has all elements that the windows cover. With
  // padding, it may have fewer. The minimum with `covered` is redundant, but
  // lets analyses of ranges see this bound.
  tile.inputSize =
      isConstantIntValue(padBegin, 0) && isConstantIntValue(padEnd, 0)
          ? covered
          : a.applyMin({s1 - s0, s2}, {first, last, covered});
  return tile;
}

GradTile pool::getGradTile(OpBuilder &b, Location loc, const WindowDim &dim,
                           OpFoldResult input, OpFoldResult output,
                           OpFoldResult offset, OpFoldResult size) {
  AffineBuilder a(b, loc);
  if (std::optional<SmallVector<int64_t>> known =
          getConstantIntValues({input, output, offset, size})) {
    ResolvedGradTile tile =
        getGradTile(dim, (*known)[0], (*known)[1], (*known)[2], (*known)[3]);
    return {a.known(tile.inputOffset), a.known(tile.inputSize),
            a.known(tile.firstWindow), a.known(tile.numWindows)};
  }
  AffineExpr zero = a.number(0);
  AffineExpr s0 = a.symbol(0), s1 = a.symbol(1), s2 = a.symbol(2);

  // Let E be the extent of a window. The part may end where the dimension
  // continues. A window that reaches past such an end covers at most E - 1
  // elements of the part. So keep at least E - 1 elements between that end and
  // the tile. Then no such window covers an element of the tile.
  int64_t margin = *getWindowExtent(dim) - 1;
  OpFoldResult dropped =
      a.applyMax({(s0 - s1 - s2 - margin).floorDiv(dim.stride), zero},
                 {input, offset, size});

  GradTile tile;
  tile.firstWindow =
      a.applyMax({(s0 - margin).floorDiv(dim.stride), zero}, offset);
  tile.inputOffset = a.apply(s0 * dim.stride, tile.firstWindow);
  tile.inputSize =
      a.apply(s0 - (s1 + s2) * dim.stride, {input, tile.firstWindow, dropped});
  tile.numWindows = a.apply(s0 - s1 - s2, {output, tile.firstWindow, dropped});
  return tile;
}
