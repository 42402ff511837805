// Finds out which of two elements a region of StableHLO chooses, by evaluating
// the region for each way in which the elements can compare. The code in the
// region does not matter, only its results. For the region `a >= b` of a
// select_and_scatter, which is true if a stays:
//
//   a to b     Less   Equal  Greater  LeftNan  RightNan  BothNan
//   a stays    no     yes    yes      no       no        no
//
// This is a maximum that keeps the first of equal elements. A NaN on the left
// is dropped, but one on the right is chosen: NanChoice::ByPlace.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_STABLEHLOTOPOOL_ORDER_H
#define POOL_LIB_CONVERSION_STABLEHLOTOPOOL_ORDER_H

#include "mlir/IR/Block.h"
#include "pool/Support/PoolEnums.h"

#include <optional>

namespace mlir::pool {

/// How the left element compares with the right one. LeftNan and RightNan mean
/// that only the left or only the right element is NaN.
enum class Order { Less, Equal, Greater, LeftNan, RightNan, BothNan };

/// How a region treats NaN.
enum class NanChoice {
  Propagate,
  /// Chooses a NaN. If there are several, their positions decide which one.
  PropagateAny,
  Ignore,
  /// The positions of the elements decide whether a NaN is chosen.
  ByPlace,
};

/// The extremum that a region chooses.
struct ElementChoice {
  Reduction reduction;
  NanChoice nan;
};

/// Matches the region `select` of a select_and_scatter: (element, element) ->
/// i1, true if the first element stays. Returns nothing unless it chooses an
/// extremum, and the first of equal elements.
std::optional<ElementChoice> matchSelect(Block &body);

/// Matches the body of a reduction of (value, index) pairs. Returns nothing
/// unless it chooses an extremum with its index and, of equal values, the
/// smallest index.
std::optional<ElementChoice> matchIndexedExtremum(Block &body);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_STABLEHLOTOPOOL_ORDER_H
