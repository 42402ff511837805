// Finds out how a region of StableHLO chooses between two elements, by trying
// every way in which they can compare.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_STABLEHLOTOPOOL_ORDER_H
#define POOL_LIB_CONVERSION_STABLEHLOTOPOOL_ORDER_H

#include "mlir/IR/Block.h"
#include "pool/Support/PoolEnums.h"

#include <optional>

namespace mlir::pool {

/// How two elements compare.
enum class Order { Less, Equal, Greater, LeftNan, RightNan, BothNan };

/// How a region treats NaN.
enum class NanChoice {
  Propagate,
  /// Chooses a NaN. If there are several, the order of the elements decides
  /// which one.
  PropagateAny,
  Ignore,
  /// The order of the elements decides whether a NaN is chosen.
  ByPlace,
};

/// The extremum that a region chooses.
struct ElementChoice {
  Reduction reduction;
  NanChoice nan;
};

/// Matches the region `select` of select_and_scatter: (element, element) -> i1,
/// true if the first element stays. The first of equal elements must stay.
std::optional<ElementChoice> matchSelect(Block &body);

/// Matches the body of a reduction of (value, index) pairs that gives the
/// extremum and, of equal values, the least index.
std::optional<ElementChoice> matchIndexedExtremum(Block &body);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_STABLEHLOTOPOOL_ORDER_H
