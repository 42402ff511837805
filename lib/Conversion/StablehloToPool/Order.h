// What a region of StableHLO decides about two elements, found by trying every
// way in which they can compare.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_STABLEHLOTOPOOL_ORDER_H
#define POOL_LIB_CONVERSION_STABLEHLOTOPOOL_ORDER_H

#include "mlir/IR/Block.h"
#include "pool/Dialect/Pool/IR/PoolEnums.h"

#include <optional>

namespace mlir::pool {

/// How two elements compare.
enum class Order { Less, Equal, Greater, LeftNan, RightNan, BothNan };

/// What a region decides about NaN.
enum class NanChoice {
  Propagate,
  /// A NaN, and which of several depends on the order in which they come.
  PropagateAny,
  Ignore,
  /// Whether a NaN is chosen depends on the order in which elements come.
  ByPlace,
};

/// An extremum that a region chooses by.
struct ElementChoice {
  Reduction reduction;
  NanChoice nan;
};

/// Recognises `select` of select_and_scatter: (element, element) -> i1, true
/// where the first one stays. Among equals it must.
std::optional<ElementChoice> matchSelect(Block &body);

/// Recognises the body of a reduction of (value, index) pairs that gives the
/// extremum and the least index among equals.
std::optional<ElementChoice> matchIndexedExtremum(Block &body);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_STABLEHLOTOPOOL_ORDER_H
