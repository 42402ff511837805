// The enumerations of the pool dialect as plain C++, without IR types, for the
// window arithmetic. Generated from PoolEnums.td.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_DIALECT_POOL_IR_POOLENUMS_H
#define POOL_DIALECT_POOL_IR_POOLENUMS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

#include "pool/Dialect/Pool/IR/PoolEnums.h.inc"

namespace mlir::pool {

// Properties of the enumerants. Code asks for a property and never compares
// with an enumerant. PoolEnums.cpp does not compile until a new enumerant has
// an answer to every question, so no code can treat it wrongly.

/// True if an output extent is rounded up, so that the last window may reach
/// past the padding.
bool roundsUp(RoundingType rounding);
/// True if no window may start in the end padding.
bool dropsWindowInEndPadding(RoundingType rounding);

/// True if the pads depend on the input extent.
bool isSame(AutoPad autoPad);
/// True if the pads are `pads_begin` and `pads_end`.
bool readsPads(AutoPad autoPad);
/// True if the larger of two pads that depend on the extent is the begin pad.
bool padsMoreAtBegin(AutoPad autoPad);

/// True if the output extent is the input extent, false if it is divided by the
/// stride.
bool keepsExtent(SameOutput sameOutput);

bool isChannelsFirst(Layout layout);

/// True if padding counts as 0. Without a value it is never chosen.
bool isZero(std::optional<PadValue> padValue);

/// True if NaN is never chosen.
bool ignoresNaN(NanMode nanMode);

/// True if an average counts padding.
bool countsPadding(Divisor divisor);
/// True if an average counts the overhang, positions past the padding.
bool countsOverhang(Divisor divisor);

/// True for a reduction that returns one of the elements and its position.
bool isExtremum(Reduction reduction);
/// True if `reduction`, an extremum, chooses the greatest element, false if the
/// least.
bool isMaximum(Reduction reduction);

} // namespace mlir::pool

#endif // POOL_DIALECT_POOL_IR_POOLENUMS_H
