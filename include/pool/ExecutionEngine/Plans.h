// The plans that lower the pooling operations of a module, with reasons.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_EXECUTIONENGINE_PLANS_H
#define POOL_EXECUTIONENGINE_PLANS_H

#include "pool/Target/TargetNames.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlir::pool {

/// The machine to plan for, and the functions to plan.
struct PlanOptions {
  /// This machine if empty.
  TargetNames target;
  /// Bits of a vector register; 0 for the target's own. A number without a
  /// target means a generic machine.
  int64_t vectorBits = 0;
  /// The public functions to plan; all if empty. Functions that they do not use
  /// are not planned.
  std::vector<std::string> entries;
};

/// How one operation is lowered.
struct OperationPlan {
  std::string function;
  /// The operation that the conversion gets, for example `pool.max_pool`. An
  /// adaptive operation with windows of one size has become an ordinary one.
  std::string operation;
  /// `file:line:column` if the module has that, else the location as MLIR
  /// prints it.
  std::string location;
  /// The attribute `pool.plan`. Empty if no strategy supports the operation; it
  /// is then lowered through linalg.
  std::string plan;
  /// True if the plan comes from the module.
  bool isPinned = false;
  /// Predicted cycles per output; none for a pinned plan, or without a plan.
  std::optional<double> cycles;
  /// Why there is no plan, else empty.
  std::string reason;
  /// The rejected strategies, each with the reason.
  std::vector<std::pair<std::string, std::string>> rejected;
};

/// Returns the plans by which `pool-to-llvm` would lower the pooling operations
/// of `module`, in its order. Does not change the module, but replaces the
/// context's remark engine. If a pinned plan does not fit or the target is
/// unknown, fails and emits a diagnostic.
llvm::Expected<std::vector<OperationPlan>> getPlans(ModuleOp module,
                                                    const PlanOptions &options);

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_PLANS_H
