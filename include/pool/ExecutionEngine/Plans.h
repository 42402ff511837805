// The plans by which the pooling of a module is lowered, and why by those.
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

/// The machine to plan for, and what of a module.
struct PlanOptions {
  /// This machine if nothing is named.
  TargetNames target;
  /// Bits of its vector registers; 0 for those that it has. Alone they make a
  /// generic machine.
  int64_t vectorBits = 0;
  /// The public functions; all if empty. What they do not use is not planned.
  std::vector<std::string> entries;
};

/// How one operation is lowered.
struct OperationPlan {
  std::string function;
  /// Like `pool.max_pool`: what the conversion is given, which is not the
  /// adaptive operation where an ordinary one has its windows.
  std::string operation;
  /// As `file:line:column` where the module has that.
  std::string location;
  /// The attribute `pool.plan`; empty where no strategy is for the operation,
  /// which Linalg lowers then.
  std::string plan;
  /// Whether the module had it already.
  bool isPinned = false;
  /// Of an output; none of a plan that is pinned.
  std::optional<double> cycles;
  /// Why there is no plan.
  std::string reason;
  /// The strategies that were not chosen, and why.
  std::vector<std::pair<std::string, std::string>> rejected;
};

/// The plans of the pooling in `module`, in its order, as `pool-to-llvm` lowers
/// it. The module is not changed; the context gets a remark engine of its own.
/// Fails where a pinned plan does not fit or the options name no machine, which
/// the context's diagnostic handler is told.
llvm::Expected<std::vector<OperationPlan>> getPlans(ModuleOp module,
                                                    const PlanOptions &options);

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_PLANS_H
