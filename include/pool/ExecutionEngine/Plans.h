// Reports by which plan each pooling operation of a module would be lowered,
// and why.
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
  /// The machine to plan for. If all names are empty and `vectorBits` is 0,
  /// this is the machine that runs the planner.
  TargetNames target;
  /// Bits of a vector register, or 0 for the number that the target has. If
  /// this is given and all names of `target` are empty, the machine is a
  /// generic one.
  int64_t vectorBits = 0;
  /// Names of the public functions to plan. If empty, all public functions are
  /// planned. Functions that these do not use are left out.
  std::vector<std::string> entries;
};

/// Says how one operation is lowered.
struct OperationPlan {
  std::string function;
  /// Name of the operation, for example `pool.max_pool`. Adaptive pooling with
  /// equal windows has the name of ordinary pooling, because the passes before
  /// planning replace it.
  std::string operation;
  /// Location of the operation as `file:line:column` if it is known, otherwise
  /// as MLIR prints it.
  std::string location;
  /// The plan as MLIR prints the attribute `pool.plan`. Empty if no strategy
  /// supports the operation: such an operation is lowered through linalg.
  std::string plan;
  /// True if the module contains the plan already, so that the planner did not
  /// choose it.
  bool isPinned = false;
  /// Predicted cycles per output. None if the plan is pinned or if there is no
  /// plan.
  std::optional<double> cycles;
  /// Says why there is no plan. Empty if there is one.
  std::string reason;
  /// Names of the rejected strategies, each with the reason of its rejection.
  std::vector<std::pair<std::string, std::string>> rejected;
};

/// Returns the plans by which `pool-to-llvm` with run-time checks would lower
/// the pooling operations of `module`, in the order of the operations. Does not
/// change the module. Emits a diagnostic and fails if a pinned plan does not
/// fit, if the target is unknown, or if an operation cannot be lowered.
llvm::Expected<std::vector<OperationPlan>> getPlans(ModuleOp module,
                                                    const PlanOptions &options);

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_PLANS_H
