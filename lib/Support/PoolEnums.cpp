// Returns properties of enumerants. The switches have no `default`, so that
// code does not compile until each switch handles a new enumerant.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Support/PoolEnums.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace mlir::pool;

#include "pool/Support/PoolEnums.cpp.inc"

bool pool::roundsUp(RoundingType rounding) {
  switch (rounding) {
  case RoundingType::Floor:
    return false;
  case RoundingType::Ceil:
  case RoundingType::CeilTorch:
    return true;
  }
  llvm_unreachable("all roundings handled");
}

bool pool::dropsWindowInEndPadding(RoundingType rounding) {
  switch (rounding) {
  case RoundingType::Floor:
  case RoundingType::Ceil:
    return false;
  case RoundingType::CeilTorch:
    return true;
  }
  llvm_unreachable("all roundings handled");
}

bool pool::isSame(AutoPad autoPad) {
  switch (autoPad) {
  case AutoPad::Explicit:
  case AutoPad::Valid:
    return false;
  case AutoPad::SameUpper:
  case AutoPad::SameLower:
    return true;
  }
  llvm_unreachable("all paddings handled");
}

bool pool::readsPads(AutoPad autoPad) {
  switch (autoPad) {
  case AutoPad::Explicit:
    return true;
  case AutoPad::SameUpper:
  case AutoPad::SameLower:
  case AutoPad::Valid:
    return false;
  }
  llvm_unreachable("all paddings handled");
}

bool pool::padsMoreAtBegin(AutoPad autoPad) {
  switch (autoPad) {
  case AutoPad::SameLower:
    return true;
  case AutoPad::Explicit:
  case AutoPad::SameUpper:
  case AutoPad::Valid:
    return false;
  }
  llvm_unreachable("all paddings handled");
}

bool pool::keepsExtent(SameOutput sameOutput) {
  switch (sameOutput) {
  case SameOutput::Input:
    return true;
  case SameOutput::Strided:
    return false;
  }
  llvm_unreachable("all output extents handled");
}

bool pool::isChannelsFirst(Layout layout) {
  switch (layout) {
  case Layout::ChannelsFirst:
    return true;
  case Layout::ChannelsLast:
    return false;
  }
  llvm_unreachable("all layouts handled");
}

bool pool::isZero(std::optional<PadValue> padValue) {
  if (!padValue)
    return false;
  switch (*padValue) {
  case PadValue::NegInf:
  case PadValue::PosInf:
    return false;
  case PadValue::Zero:
    return true;
  }
  llvm_unreachable("all values of padding handled");
}

bool pool::ignoresNaN(NanMode nanMode) {
  switch (nanMode) {
  case NanMode::Ignore:
    return true;
  case NanMode::Propagate:
    return false;
  }
  llvm_unreachable("all treatments of NaN handled");
}

bool pool::countsPadding(Divisor divisor) {
  switch (divisor) {
  case Divisor::Valid:
    return false;
  case Divisor::Padded:
  case Divisor::Kernel:
    return true;
  }
  llvm_unreachable("all divisors handled");
}

bool pool::countsOverhang(Divisor divisor) {
  switch (divisor) {
  case Divisor::Valid:
  case Divisor::Padded:
    return false;
  case Divisor::Kernel:
    return true;
  }
  llvm_unreachable("all divisors handled");
}

bool pool::isExtremum(Reduction reduction) {
  switch (reduction) {
  case Reduction::Max:
  case Reduction::Min:
    return true;
  case Reduction::Sum:
  case Reduction::PowerSum:
    return false;
  }
  llvm_unreachable("all reductions handled");
}

bool pool::isMaximum(Reduction reduction) {
  switch (reduction) {
  case Reduction::Max:
    return true;
  case Reduction::Min:
  case Reduction::Sum:
  case Reduction::PowerSum:
    return false;
  }
  llvm_unreachable("all reductions handled");
}
