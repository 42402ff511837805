// A second implementation of docs/Reference/Semantics.md, "One dimension",
// which shares no code with WindowRules. Tests compare both.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NaiveWindow.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir::pool;
using namespace mlir::pool::test;

std::vector<WindowModes> test::getAllModes() {
  std::vector<WindowModes> all;
  for (unsigned r = 0; r <= getMaxEnumValForRoundingType(); ++r)
    for (unsigned p = 0; p <= getMaxEnumValForAutoPad(); ++p)
      for (unsigned o = 0; o <= getMaxEnumValForSameOutput(); ++o)
        all.push_back({static_cast<RoundingType>(r), static_cast<AutoPad>(p),
                       static_cast<SameOutput>(o)});
  return all;
}

std::string test::describe(const WindowDim &dim, const WindowModes &modes) {
  return llvm::formatv("kernel {0} stride {1} dilation {2} pads {3} {4} {5} "
                       "{6} same_output {7}",
                       dim.kernel, dim.stride, dim.dilation, dim.padBegin,
                       dim.padEnd, stringifyRoundingType(modes.rounding),
                       stringifyAutoPad(modes.autoPad),
                       stringifySameOutput(modes.sameOutput))
      .str();
}

NaiveWindow::NaiveWindow(int64_t input, const WindowDim &dim,
                         const WindowModes &modes)
    : input(input), kernel(dim.kernel), stride(dim.stride),
      dilation(dim.dilation) {
  extent = 1;
  for (int64_t tap = 1; tap < kernel; ++tap)
    extent += dilation;

  if (modes.isSame()) {
    layOutSame(modes.autoPad == AutoPad::SameUpper, modes.sameOutput);
    return;
  }
  if (modes.autoPad == AutoPad::Explicit) {
    padBegin = dim.padBegin;
    padEnd = dim.padEnd;
  }
  layOutExplicit(modes.rounding);
}

void NaiveWindow::layOutExplicit(RoundingType rounding) {
  int64_t padded = padBegin + input + padEnd;
  switch (rounding) {
  case RoundingType::Floor:
    // Count windows that end within the padded input.
    while (numOutputs * stride + extent <= padded)
      ++numOutputs;
    return;
  case RoundingType::Ceil:
    if (extent > padded)
      return;
    break;
  case RoundingType::CeilTorch:
    break;
  }
  // Add a window while the last window leaves a part of the padded input
  // uncovered. At first, the last window is an imaginary one at -stride.
  while ((numOutputs - 1) * stride + extent < padded)
    ++numOutputs;
  // PyTorch drops the last window if it starts in the end padding or beyond.
  if (rounding == RoundingType::CeilTorch && numOutputs > 0 &&
      (numOutputs - 1) * stride >= padBegin + input)
    --numOutputs;
}

void NaiveWindow::layOutSame(bool upper, SameOutput sameOutput) {
  if (sameOutput == SameOutput::Input)
    numOutputs = input;
  else
    for (int64_t start = 0; start < input; start += stride)
      ++numOutputs;
  // Pad both ends in turn until the last window fits. same_upper pads the end
  // first, same_lower the begin.
  bool atEnd = upper;
  while (padBegin + input + padEnd < (numOutputs - 1) * stride + extent) {
    ++(atEnd ? padEnd : padBegin);
    atEnd = !atEnd;
  }
}

int64_t NaiveWindow::getPosition(int64_t o, int64_t tap) const {
  int64_t position = -padBegin;
  position += o * stride;
  position += tap * dilation;
  return position;
}

int64_t NaiveWindow::getOverhang() const {
  int64_t overhang = 0;
  for (int64_t o = 0; o < numOutputs; ++o)
    overhang =
        std::max(overhang, getPosition(o, kernel - 1) + 1 - input - padEnd);
  return overhang;
}

int64_t NaiveWindow::getCoveredEnd() const {
  int64_t covered = 0;
  for (int64_t o = 0; o < numOutputs; ++o)
    covered = std::max(covered, getPosition(o, kernel - 1) + 1 - input);
  return covered;
}

int64_t NaiveWindow::getCount(Divisor divisor, int64_t o) const {
  int64_t count = 0;
  for (int64_t tap = 0; tap < kernel; ++tap) {
    int64_t position = getPosition(o, tap);
    bool isPadding = (position < 0 && position >= -padBegin) ||
                     (position >= input && position < input + padEnd);
    switch (divisor) {
    case Divisor::Valid:
      count += isInside(position);
      break;
    case Divisor::Padded:
      count += isInside(position) || isPadding;
      break;
    case Divisor::Kernel:
      ++count;
      break;
    }
  }
  return count;
}

std::optional<int64_t> NaiveWindow::getFirstValidTap(int64_t o) const {
  for (int64_t tap = 0; tap < kernel; ++tap)
    if (isInside(getPosition(o, tap)))
      return tap;
  return std::nullopt;
}

std::optional<int64_t> NaiveWindow::getFirstEmptyWindow(Divisor divisor) const {
  for (int64_t o = 0; o < numOutputs; ++o)
    if (getCount(divisor, o) == 0)
      return o;
  return std::nullopt;
}

bool NaiveWindow::coversPadding() const {
  for (int64_t o = 0; o < numOutputs; ++o)
    for (int64_t tap = 0; tap < kernel; ++tap)
      if (!isInside(getPosition(o, tap)))
        return true;
  return false;
}
