// Declares the enumerations of the pool dialect as plain C++, so that the
// window arithmetic can use them without IR. They are generated from
// PoolEnums.td.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_POOLENUMS_H
#define POOL_SUPPORT_POOLENUMS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

#include "pool/Support/PoolEnums.h.inc"

namespace mlir::pool {

// These functions return properties of enumerants. Prefer them to comparisons
// with an enumerant, because PoolEnums.cpp does not compile until each function
// handles a new enumerant.

/// True if an output extent is rounded up, so that the last window may reach
/// past the padding.
bool roundsUp(RoundingType rounding);
/// True if no window may start in the end padding.
bool dropsWindowInEndPadding(RoundingType rounding);

/// True for `same_upper` and `same_lower`, whose pads depend on the input
/// extent.
bool isSame(AutoPad autoPad);
/// True if the pads are `pads_begin` and `pads_end`.
bool readsPads(AutoPad autoPad);
/// True if the begin pad gets the extra element when `same_*` has to divide an
/// odd number of elements between the two pads.
bool padsMoreAtBegin(AutoPad autoPad);

/// True if the output extent equals the input extent. If false, the output
/// extent is the input extent divided by the stride, rounded up. The mode has
/// an effect only if `auto_pad` is `same_*`.
bool keepsExtent(SameOutput sameOutput);

bool isChannelsFirst(Layout layout);

/// True if `padValue` is zero. Returns false for a missing value, which means
/// that padding is never chosen.
bool isZero(std::optional<PadValue> padValue);

/// True if NaN is never chosen.
bool ignoresNaN(NanMode nanMode);

/// True if the divisor of an average counts positions in the padding.
bool countsPadding(Divisor divisor);
/// True if the divisor of an average counts the overhang: positions past the
/// end padding.
bool countsOverhang(Divisor divisor);

/// True for a maximum or minimum, which chooses one of the elements and may
/// also return its position.
bool isExtremum(Reduction reduction);
/// True if `reduction` chooses the greatest element, false if the least.
/// Requires an extremum.
bool isMaximum(Reduction reduction);

} // namespace mlir::pool

#endif // POOL_SUPPORT_POOLENUMS_H
