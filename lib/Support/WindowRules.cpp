// Computes output extents, pads, counts and bounds of windows. The arithmetic
// has 128 bits, so that it cannot overflow. Results are checked when they are
// converted to 64 bits.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Support/WindowRules.h"

#include "pool/Support/WideInteger.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>
#include <tuple>

using namespace mlir;
using namespace mlir::pool;

bool pool::isAll(ArrayRef<int64_t> list, int64_t value) {
  return llvm::all_of(list, [=](int64_t entry) { return entry == value; });
}

OwnedWindow OwnedWindow::get(ArrayRef<int64_t> kernel, Layout layout) {
  OwnedWindow window;
  window.kernel = llvm::to_vector(kernel);
  window.strides.assign(kernel.size(), 1);
  window.dilations.assign(kernel.size(), 1);
  window.padsBegin.assign(kernel.size(), 0);
  window.padsEnd.assign(kernel.size(), 0);
  window.layout = layout;
  return window;
}

bool WindowAttrs::hasExplicitPads() const {
  return readsPads(modes.autoPad) &&
         !(isAll(padsBegin, 0) && isAll(padsEnd, 0));
}

std::pair<int64_t, int64_t> pool::getGivenPads(const WindowDim &dim,
                                               const WindowModes &modes) {
  if (!readsPads(modes.autoPad))
    return {0, 0};
  return {dim.padBegin, dim.padEnd};
}

bool OwnedWindow::hasPadding() const {
  return !isAll(padsBegin, 0) || !isAll(padsEnd, 0);
}

static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

static bool fits(Wide value) {
  return value >= std::numeric_limits<int64_t>::min() && value <= kMax;
}

/// Returns the quotient, rounded towards minus infinity. Requires `divisor >
/// 0`.
static Wide floorDivide(Wide dividend, Wide divisor) {
  Wide quotient = dividend / divisor;
  return quotient - (dividend % divisor < 0 ? 1 : 0);
}

static Wide ceilDivide(Wide dividend, Wide divisor) {
  return -floorDivide(-dividend, divisor);
}

/// Returns the number of positions from the first tap of a window to the last.
/// Requires that `kernel` and `dilation` are positive.
static Wide getExtent(int64_t kernel, int64_t dilation) {
  return Wide(kernel - 1) * dilation + 1;
}

int64_t ResolvedDim::getCoveredEnd() const {
  Wide end = Wide(output - 1) * stride + getExtent(kernel, dilation) -
             padBegin - input;
  return static_cast<int64_t>(std::max<Wide>(end, 0));
}

RuleOr<int64_t> pool::getWindowExtent(const WindowDim &dim) {
  Wide extent = getExtent(dim.kernel, dim.dilation);
  if (!fits(extent))
    return RuleViolation::Overflow;
  return static_cast<int64_t>(extent);
}

std::optional<RuleViolation> pool::checkDim(const WindowDim &dim) {
  if (dim.kernel < 1)
    return RuleViolation::KernelBelowOne;
  if (dim.dilation < 1)
    return RuleViolation::DilationBelowOne;
  if (dim.stride < 1)
    return RuleViolation::StrideBelowOne;
  if (dim.padBegin < 0 || dim.padEnd < 0)
    return RuleViolation::NegativePad;
  if (!getWindowExtent(dim))
    return RuleViolation::Overflow;
  return std::nullopt;
}

static RuleOr<ResolvedDim> resolveSame(ResolvedDim dim,
                                       const WindowModes &modes) {
  dim.output =
      keepsExtent(modes.sameOutput)
          ? dim.input
          : static_cast<int64_t>(ceilDivide(Wide(dim.input), dim.stride));
  Wide covered =
      Wide(dim.output - 1) * dim.stride + getExtent(dim.kernel, dim.dilation);
  if (!fits(covered))
    return RuleViolation::Overflow;
  int64_t total = static_cast<int64_t>(std::max<Wide>(covered - dim.input, 0));
  int64_t smaller = total / 2;
  dim.padBegin = padsMoreAtBegin(modes.autoPad) ? total - smaller : smaller;
  dim.padEnd = total - dim.padBegin;
  return dim;
}

RuleOr<ResolvedDim> pool::resolveDim(int64_t input, const WindowDim &dim,
                                     const WindowModes &modes) {
  if (std::optional<RuleViolation> violation = checkDim(dim))
    return *violation;
  if (input < 1)
    return RuleViolation::InputBelowOne;

  ResolvedDim resolved{input,         /*output=*/0,   dim.kernel,   dim.stride,
                       dim.dilation,  /*padBegin=*/0, /*padEnd=*/0,
                       /*overhang=*/0};
  if (modes.isSame())
    return resolveSame(resolved, modes);
  std::tie(resolved.padBegin, resolved.padEnd) = getGivenPads(dim, modes);

  Wide extent = getExtent(dim.kernel, dim.dilation);
  Wide padded = Wide(input) + resolved.padBegin + resolved.padEnd;
  if (!fits(padded))
    return RuleViolation::Overflow;
  Wide slack = padded - extent;
  bool dropsWindow = dropsWindowInEndPadding(modes.rounding);
  if (!dropsWindow && slack < 0)
    return RuleViolation::WindowExceedsInput;

  Wide lastWindow = roundsUp(modes.rounding) ? ceilDivide(slack, dim.stride)
                                             : floorDivide(slack, dim.stride);
  if (lastWindow < 0)
    return RuleViolation::OutputBelowOne;
  if (!fits(lastWindow * dim.stride + extent))
    return RuleViolation::Overflow;
  if (dropsWindow && lastWindow * dim.stride >= Wide(input) + resolved.padBegin)
    --lastWindow;

  resolved.output = static_cast<int64_t>(lastWindow) + 1;
  resolved.overhang = static_cast<int64_t>(
      std::max<Wide>(lastWindow * dim.stride + extent - padded, 0));
  return resolved;
}

InputRange pool::getInputRange(const WindowDim &dim, const WindowModes &modes) {
  constexpr InputRange kEmpty = {1, 0};
  if (checkDim(dim))
    return kEmpty;
  Wide extent = getExtent(dim.kernel, dim.dilation);
  // The largest multiple of the stride at which a window can begin so that its
  // end still fits int64.
  Wide lastStart = floorDivide(kMax - extent, dim.stride) * dim.stride;

  Wide min = 1, max;
  if (modes.isSame()) {
    Wide outputs = lastStart / dim.stride + 1;
    max = keepsExtent(modes.sameOutput) ? outputs : outputs * dim.stride;
  } else {
    auto [padBegin, padEnd] = getGivenPads(dim, modes);
    Wide pads = Wide(padBegin) + padEnd;
    max = kMax - pads;
    min = extent - pads;
    if (roundsUp(modes.rounding))
      max = std::min(max, lastStart + extent - pads);
    // This rounding keeps one window even if up to `stride - 1` of its
    // positions are after the padded input.
    if (dropsWindowInEndPadding(modes.rounding))
      min -= dim.stride - 1;
    min = std::max<Wide>(min, 1);
  }
  max = std::min<Wide>(max, kMax);
  if (max < min)
    return kEmpty;
  return {static_cast<int64_t>(min), static_cast<int64_t>(max)};
}

PadBounds pool::getPadBounds(const WindowDim &dim, const WindowModes &modes) {
  PadBounds bounds;
  auto [padBegin, padEnd] = getGivenPads(dim, modes);
  if (!modes.isSame()) {
    bounds.padBegin = bounds.mostBegin = padBegin;
    bounds.mostEnd = padEnd;
    // An overhang is smaller than the stride. If the sum overflows, there is no
    // bound.
    if (roundsUp(modes.rounding) &&
        llvm::AddOverflow(padEnd, dim.stride - 1, *bounds.mostEnd))
      bounds.mostEnd = std::nullopt;
    // The rounding drops at most one window. If the end padding is at most as
    // long as a window, the window before the dropped one begins inside the
    // input or before it. So it covers at most `extent - 1` positions after the
    // input.
    int64_t extent = *getWindowExtent(dim);
    if (dropsWindowInEndPadding(modes.rounding) && padEnd <= extent)
      bounds.mostEnd = std::min(bounds.mostEnd.value_or(extent), extent - 1);
    // With stride 1, the last window ends where the padding ends.
    if (dim.stride == 1 && !dropsWindowInEndPadding(modes.rounding))
      bounds.coveredEnd = padEnd;
    else if (padEnd == 0 && !roundsUp(modes.rounding))
      bounds.coveredEnd = 0;
    bounds.coversPadding = padBegin != 0 || bounds.coveredEnd != 0;
    return bounds;
  }
  // If the output has the strided extent, the last window begins inside the
  // input, so both pads together are less than a window. With stride 1, the
  // pads together are always the extent of the window minus 1.
  int64_t total = *getWindowExtent(dim) - 1;
  bool moreAtBegin = padsMoreAtBegin(modes.autoPad);
  if (dim.stride == 1) {
    int64_t padBegin = moreAtBegin ? total - total / 2 : total / 2;
    bounds.padBegin = bounds.mostBegin = padBegin;
    bounds.coveredEnd = bounds.mostEnd = total - padBegin;
    bounds.coversPadding = total != 0;
  } else if (!keepsExtent(modes.sameOutput)) {
    bounds.mostBegin = bounds.mostEnd = total;
  }
  return bounds;
}

/// Returns the number of the first tap at or after position `bound`, for a
/// window that begins at `start`. Returns the kernel if there is no such tap.
static int64_t getFirstTapAt(Wide bound, Wide start, const ResolvedDim &dim) {
  if (start >= bound)
    return 0;
  return static_cast<int64_t>(
      std::min<Wide>(ceilDivide(bound - start, dim.dilation), dim.kernel));
}

TapRange pool::getValidTaps(const ResolvedDim &dim, int64_t o) {
  Wide start = Wide(o) * dim.stride - dim.padBegin;
  return {getFirstTapAt(0, start, dim), getFirstTapAt(dim.input, start, dim)};
}

int64_t pool::getCount(const ResolvedDim &dim, Divisor divisor, int64_t o) {
  switch (divisor) {
  case Divisor::Valid:
    return getValidTaps(dim, o).size();
  case Divisor::Padded:
    return getFirstTapAt(Wide(dim.input) + dim.padEnd,
                         Wide(o) * dim.stride - dim.padBegin, dim);
  case Divisor::Kernel:
    return dim.kernel;
  }
  return dim.kernel;
}

/// Returns the smallest x >= 0 with `lower <= (step * x) mod modulus <= upper`,
/// or -1 if there is none. Requires 0 <= step < modulus and 0 <= lower <= upper
/// < modulus. Works like Euclid's algorithm: if no multiple of `step` lies in
/// the interval, it searches for the number of wraps around `modulus` after
/// which one does.
static Wide findResidue(Wide step, Wide modulus, Wide lower, Wide upper) {
  if (lower == 0)
    return 0;
  if (step == 0)
    return -1;
  Wide x = ceilDivide(lower, step);
  if (step * x <= upper)
    return x;
  Wide wraps = findResidue(modulus % step, step, (step - upper % step) % step,
                           (step - lower % step) % step);
  if (wraps < 0)
    return -1;
  return ceilDivide(lower + modulus * wraps, step);
}

std::optional<int64_t> pool::getFirstEmptyWindow(const ResolvedDim &dim,
                                                 Divisor divisor) {
  if (countsOverhang(divisor))
    return std::nullopt;
  // `first` is the first window that begins after all counted positions.
  Wide end = Wide(dim.input) + dim.padBegin;
  if (countsPadding(divisor))
    end += dim.padEnd;
  Wide first = ceilDivide(end, dim.stride);

  if (!countsPadding(divisor)) {
    // Window 0 may lie completely before the input.
    if (getExtent(dim.kernel, dim.dilation) <= dim.padBegin)
      return 0;
    // If the dilation is larger than the input extent, a window may have taps
    // on both sides of the input and none inside. All taps of window o have the
    // residue (o * stride - padBegin) mod dilation. If it is at least the input
    // extent, no tap is inside.
    if (dim.dilation > dim.input) {
      Wide offset = dim.padBegin % dim.dilation;
      offset = offset == 0 ? 0 : dim.dilation - offset;
      if (offset >= dim.input)
        return 0;
      Wide o = findResidue(dim.stride % dim.dilation, dim.dilation,
                           dim.input - offset, dim.dilation - 1 - offset);
      if (o >= 0)
        first = std::min(first, o);
    }
  }
  if (first >= dim.output)
    return std::nullopt;
  return static_cast<int64_t>(first);
}

std::optional<std::pair<int64_t, int64_t>>
pool::getExplicitPads(const ResolvedDim &dim, bool countsPadding) {
  if (countsPadding && dim.overhang > 0)
    return std::nullopt;
  // The end pad has an effect only if windows reach it. Keep it if the outputs
  // are the same with rounding floor.
  WindowDim window{dim.kernel, dim.stride, dim.dilation, dim.padBegin,
                   dim.padEnd};
  RuleOr<ResolvedDim> same = resolveDim(dim.input, window, WindowModes());
  if (same && same->output == dim.output && dim.overhang == 0)
    return std::make_pair(dim.padBegin, dim.padEnd);
  return std::make_pair(dim.padBegin, dim.getCoveredEnd());
}

std::optional<int64_t> pool::getProduct(ArrayRef<int64_t> extents) {
  if (llvm::is_contained(extents, 0))
    return 0;
  Wide product = 1;
  for (int64_t extent : extents) {
    product *= extent;
    if (!fits(product))
      return std::nullopt;
  }
  return static_cast<int64_t>(product);
}
