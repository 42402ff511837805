// The pass that raises StableHLO's pooling.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Divisor.h"
#include "ReduceWindow.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Conversion/Passes.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CONVERTSTABLEHLOTOPOOL
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

/// Matches `op` as a window sum of one tensor. Fails for every other operation,
/// and reports no reason.
static FailureOr<ReduceWindow> matchSum(Operation *op) {
  std::string ignored;
  FailureOr<ReduceWindow> sum = matchReduceWindow(op, ignored);
  if (failed(sum) || sum->reduction != Reduction::Sum)
    return failure();
  return sum;
}

/// Raises a gradient. Must run before sums and divisions are raised. To tell
/// the gradient of an average from that of a sum, it looks for the division of
/// the output's gradient.
static LogicalResult raiseGradient(Operation *op, RewriterBase &rewriter,
                                   std::string &reason) {
  if (hlo::getName(op) == "select_and_scatter")
    return raiseSelectAndScatter(op, rewriter, reason);
  FailureOr<ReduceWindow> sum = matchSum(op);
  if (failed(sum))
    return failure();
  foldZeroPadding(*sum);
  // Drop the reason: the pattern of raiseReduction visits the op again and
  // reports why it is not raised.
  std::string ignored;
  return hasBaseDilation(sum->window) ? raiseSumGrad(*sum, rewriter, ignored)
                                      : failure();
}

/// Raises divisions of sums.
static LogicalResult raiseDivision(Operation *op, RewriterBase &rewriter,
                                   std::string &) {
  std::string ignored;
  return success(succeeded(raiseAverage(op, rewriter, ignored)) ||
                 succeeded(raiseGlobalAverage(op, rewriter, ignored)));
}

/// Returns the reason why a window sum and its user are no average. Returns an
/// empty string if the sum has no user.
static std::string explainNoAverage(Operation *sum) {
  if (!sum->getResult(0).hasOneUse())
    return sum->use_empty() ? "" : "the sum is not used exactly once";
  Operation *user = *sum->getResult(0).getUsers().begin();
  FailureOr<Division> division = matchDivision(user);
  std::string reason;
  if (failed(division) || division->dividend != sum->getResult(0))
    return "its user does not divide it";
  FailureOr<ReduceWindow> match = matchSum(sum);
  if (succeeded(match))
    (void)matchDivisor(*division, match->window, match->getInputType(),
                       match->getType(), reason);
  return reason;
}

/// Raises a window reduction that is left after gradients and averages were
/// raised.
static LogicalResult raiseReduction(Operation *op, RewriterBase &rewriter,
                                    std::string &reason) {
  if (op->getNumOperands() == 4)
    return raiseIndexedExtremum(op, rewriter, reason);
  FailureOr<ReduceWindow> match = matchReduceWindow(op, reason);
  if (failed(match))
    return failure();
  if (isExtremum(match->reduction))
    return raiseExtremum(*match, rewriter, reason);
  if (hasBaseDilation(match->window))
    return raiseSumGrad(*match, rewriter, reason);
  reason = explainNoAverage(op);
  return raiseSum(*match, rewriter, reason);
}

namespace {
struct ConvertStablehloToPoolPass
    : pool::impl::ConvertStablehloToPoolBase<ConvertStablehloToPoolPass> {
  void runOnOperation() override {
    unsigned before = numRaised;
    // Raise gradients and averages before sums, because each contains a sum.
    apply({"select_and_scatter", "reduce_window"}, raiseGradient);
    apply({"divide", "multiply"}, raiseDivision);
    apply({"reduce_window"}, raiseReduction);
    apply({"reduce"}, raiseReduce);
    if (numRaised == before)
      markAllAnalysesPreserved();
  }

private:
  using Raise = LogicalResult (*)(Operation *, RewriterBase &, std::string &);

  /// Applies `raise` to each operation with one of `names`. `raise` must not
  /// erase another operation with one of these names.
  void apply(ArrayRef<StringRef> names, Raise raise) {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (llvm::is_contained(names, hlo::getName(op)))
        ops.push_back(op);
    });
    DeadProducers dead;
    IRRewriter rewriter(&getContext(), &dead);
    for (Operation *op : ops) {
      std::string reason;
      if (succeeded(raise(op, rewriter, reason)))
        ++numRaised;
      else if (!reason.empty())
        remarkLeftAlone(kStablehloToPoolName, op, reason);
    }
    dead.erase(hlo::isPure);
  }
};
} // namespace
