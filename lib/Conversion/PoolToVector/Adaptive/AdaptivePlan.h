// Plans for adaptive pooling: what is known of an operation, and the
// strategies.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPLAN_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPLAN_H

#include "Adaptive/AdaptiveKernel.h"
#include "Problem/CostModel.h"
#include "Reduce/RowWindows.h"
#include "Schedule/Choice.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

struct AdaptiveProblem {
  /// Returns the problem of `op`, which sums in `accType`; or null and the
  /// reason if no strategy fits it.
  static std::optional<AdaptiveProblem> get(AdaptiveOpInterface op,
                                            Type accType, const Target &target,
                                            std::string &reason);

  Target target;
  LaneReduction reduction;
  Layout layout;
  /// Extents of the spatial dimensions. The input's may be unknown.
  SmallVector<std::optional<int64_t>> inputs;
  SmallVector<int64_t> outputs;
};

/// The windows of a row of known width.
SmallVector<RowWindow> getRowWindows(const AdaptiveDim &columns);

/// Where the row is that the rows of a window are combined into.
enum class RowPlace {
  /// In registers, for all output rows of a plane one after the other.
  Plane,
  /// In registers, in a loop over the output rows.
  Row,
  /// In a buffer; a plane of one row is its own.
  Buffer,
};

/// Lanes are columns.
struct AdaptivePlanesPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "adaptive-planes";
  RowPlace place = RowPlace::Buffer;

  template <typename Fields>
  void visit(Fields &fields) {
    fields.keyword("row", place, {"plane", "register", "buffer"});
  }
  static LogicalResult admit(const AdaptiveProblem &problem,
                             std::string &reason);
  FailureOr<double> choose(const AdaptiveProblem &problem, std::string &reason);
  LogicalResult check(const AdaptiveProblem &problem, PlanScope &,
                      std::string &reason) const;
  void emit(AdaptiveKernel &kernel) const;
};

/// Lanes are channels.
struct AdaptiveChannelsPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "adaptive-channels";
  /// Vectors of channels at once.
  int64_t numVectors = cost::kAdaptiveStripVectors;

  template <typename Fields>
  void visit(Fields &fields) {
    fields.integer("vectors", numVectors, 1, 16);
  }
  static LogicalResult admit(const AdaptiveProblem &problem,
                             std::string &reason);
  FailureOr<double> choose(const AdaptiveProblem &problem, std::string &reason);
  void emit(AdaptiveKernel &kernel) const;
};

using AdaptiveStrategy = Strategy<AdaptiveProblem, AdaptiveKernel>;
ArrayRef<AdaptiveStrategy> getAdaptiveStrategies();

/// See planPool().
FailureOr<PlanAttr> planAdaptivePool(StringRef pass, AdaptiveOpInterface op,
                                     const Target &target);

/// Replaces `op`, of any types that it may have, by loops over vectors, unless
/// it has no plan. Fails where its own plan does not fit.
LogicalResult lowerAdaptivePool(StringRef pass, RewriterBase &rewriter,
                                AdaptiveOpInterface op, const Target &target);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPLAN_H
