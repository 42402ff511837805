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
  /// The machine to plan for; this machine if all names are empty and
  /// vectorBits is 0.
  TargetNames target;
  /// Bits of a vector register; 0 for the number that the target has. With a
  /// number but no target, the machine is a generic one.
  int64_t vectorBits = 0;
  /// The public functions to plan; all if empty. Functions that the planned
  /// ones do not use are left out.
  std::vector<std::string> entries;
};

/// How one operation is lowered.
struct OperationPlan {
  std::string function;
  /// Name of the operation, for example `pool.max_pool`. An adaptive operation
  /// that equals an ordinary one has the ordinary one's name, because planning
  /// replaces it first.
  std::string operation;
  /// `file:line:column` if the operation's location has them, else the location
  /// as MLIR prints it.
  std::string location;
  /// The attribute `pool.plan` in IR. Empty if no strategy supports the
  /// operation, which is then lowered through linalg.
  std::string plan;
  /// True if the plan comes from the module.
  bool isPinned = false;
  /// Predicted cycles per output. None for a pinned plan and without a plan.
  std::optional<double> cycles;
  /// The reason why there is no plan; empty if there is one.
  std::string reason;
  /// The rejected strategies, each with the reason.
  std::vector<std::pair<std::string, std::string>> rejected;
};

/// Returns the plans by which `pool-to-llvm` would lower the pooling operations
/// of `module`, in the order of the operations. Does not change the module. If
/// a pinned plan does not fit or the target is unknown, emits a diagnostic and
/// fails.
llvm::Expected<std::vector<OperationPlan>> getPlans(ModuleOp module,
                                                    const PlanOptions &options);

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_PLANS_H
