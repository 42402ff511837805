// The pass that raises linalg to pooling operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Conversion/LinalgToPool/LinalgToPool.h"

#include "Average.h"
#include "Indices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CONVERTLINALGTOPOOL
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

static constexpr llvm::StringLiteral kPass = "convert-linalg-to-pool";

/// Returns the linalg ops that search for the positions of `extremum` (see
/// Indices.h) and can be raised with it. If there are any, sets `plan` to the
/// pooling that also returns positions. Emits a remark for each search that
/// cannot be raised.
static SmallVector<linalg::GenericOp> findIndices(linalg::LinalgOp extremum,
                                                  ExtremumPlan &plan) {
  SmallVector<linalg::GenericOp> searches;
  Value values = extremum->getResult(0);
  for (Operation *user : values.getUsers()) {
    auto search = dyn_cast<linalg::GenericOp>(user);
    // A user may read `values` and search for the positions of another
    // extremum.
    if (!search || search.getInputs().empty() ||
        search.getInputs()[0] != values)
      continue;
    std::string reason;
    FailureOr<ExtremumPlan> indexed = planIndices(search, reason);
    if (succeeded(indexed)) {
      plan = *indexed;
      searches.push_back(search);
    } else if (!reason.empty()) {
      remarkLeftAlone(kPass, search, reason);
    }
  }
  return searches;
}

/// Finds the average that consists of `sum` and its user. On failure, `reason`
/// says why there is none.
static FailureOr<AveragePlan> matchUserAverage(linalg::LinalgOp sum,
                                               std::string &reason) {
  reason.clear();
  Operation *user = getOnlyUser(sum->getResult(0));
  if (!user && !sum->use_empty())
    return fail(reason, "the sum is not used exactly once");
  FailureOr<AveragePlan> average = failure();
  if (auto division = dyn_cast_if_present<linalg::LinalgOp>(user))
    average = matchAverage(division, reason);
  if (failed(average) && reason.empty())
    reason = "its user does not divide it";
  return average;
}

/// Returns the message for a tensor.pad that stays, or an empty string if
/// `reason` is empty.
static std::string explainPadding(StringRef reason) {
  return reason.empty() ? std::string()
                        : ("its tensor.pad stays: " + reason).str();
}

/// Replaces `op` by a pool.avg_pool. `op` is the sum of `plan`, or a division
/// of this sum.
static void replace(linalg::LinalgOp op, const SumPlan &plan,
                    const AverageModes &modes, PatternRewriter &rewriter) {
  Location loc = op.getLoc();
  Value pooled =
      createAvgPool(rewriter, loc, createSource(rewriter, loc, plan.fitted),
                    plan.fitted.window.getAttrs(), modes)
          .getOutput();
  rewriter.replaceOp(op, restoreOutput(rewriter, loc, plan.sum, plan.fitted,
                                       pooled, op->getResult(0).getType()));
}

namespace {
/// Raises extrema, with the searches for their positions, and sums that are not
/// part of an average.
struct RaiseWindowReduction : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    std::string reason;
    FailureOr<WindowReduction> reduction = matchWindowReduction(op, reason);
    if (failed(reduction))
      return reason.empty() ? failure() : leaveAlone(op, reason, rewriter);
    return isExtremum(reduction->combine.reduction)
               ? raiseExtremum(*reduction, rewriter)
               : raiseSum(*reduction, rewriter);
  }

private:
  static LogicalResult leaveAlone(linalg::LinalgOp op, StringRef reason,
                                  PatternRewriter &rewriter) {
    remarkLeftAlone(kPass, op, reason);
    return rewriter.notifyMatchFailure(op, reason);
  }

  static LogicalResult raiseExtremum(const WindowReduction &reduction,
                                     PatternRewriter &rewriter) {
    linalg::LinalgOp op = reduction.op;
    // Do not raise a maximum or minimum over all spatial positions. Such
    // reductions are raised only if they are the sum of an average.
    if (reduction.isGlobal)
      return failure();
    std::string reason;
    FailureOr<ExtremumPlan> plan = planExtremum(reduction, reason);
    if (failed(plan))
      return leaveAlone(op, reason, rewriter);
    Reduction kind = reduction.combine.reduction;
    SmallVector<linalg::GenericOp> searches = findIndices(op, *plan);
    if (!searches.empty()) {
      raiseWithIndices(op, searches, *plan, rewriter);
      return success();
    }
    std::string result = llvm::formatv(
        "pool.{0}_pool{1}", stringifyReduction(kind),
        plan->keepsInit
            ? (" and a " + getNoun(kind) + " with what it starts from").str()
            : "");
    remarkRaised(kPass, op, result, explainPadding(plan->keptPadding));
    rewriter.replaceOp(op, createExtremum(rewriter, *plan).values);
    return success();
  }

  static void raiseWithIndices(linalg::LinalgOp extremum,
                               ArrayRef<linalg::GenericOp> searches,
                               const ExtremumPlan &plan,
                               PatternRewriter &rewriter) {
    std::string result =
        llvm::formatv("pool.{0}_pool with indices",
                      stringifyReduction(plan.extremum.combine.reduction));
    auto types = llvm::map_to_vector(searches, [](linalg::GenericOp search) {
      return search->getResult(0).getType();
    });
    PooledExtremum pooled = createExtremum(rewriter, plan, types);
    for (auto [search, indices] : llvm::zip_equal(searches, pooled.indices)) {
      remarkRaised(kPass, search, result, explainPadding(plan.keptPadding));
      // Do not erase the search: the driver may be about to visit it.
      rewriter.replaceAllOpUsesWith(search, indices);
    }
    rewriter.replaceOp(extremum, pooled.values);
  }

  static LogicalResult raiseSum(const WindowReduction &reduction,
                                PatternRewriter &rewriter) {
    linalg::LinalgOp op = reduction.op;
    std::string whyNoAverage, reason;
    if (succeeded(matchUserAverage(op, whyNoAverage)))
      return rewriter.notifyMatchFailure(op, "it is part of an average");
    if (reduction.isGlobal)
      return failure();
    FailureOr<SumPlan> plan = planSum(reduction, /*isDivided=*/false, reason);
    AverageModes modes{Divisor::Valid, /*divisorOverride=*/1};
    if (failed(plan) ||
        failed(inferAvgPool(plan->fitted.sourceType, plan->fitted.window, modes,
                            reason)))
      return leaveAlone(op, reason, rewriter);
    remarkRaised(kPass, op, "pool.avg_pool with divisor_override 1",
                 plan->keptPadding.empty()
                     ? whyNoAverage
                     : whyNoAverage + "; " + explainPadding(plan->keptPadding));
    replace(op, *plan, modes, rewriter);
    return success();
  }
};

/// Emits a remark for each search for the positions of an extremum that is not
/// raised. Changes nothing.
struct ReportIndices : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    std::string reason;
    if (failed(planIndices(op, reason)) && !reason.empty())
      remarkLeftAlone(kPass, op, reason);
    return rewriter.notifyMatchFailure(op, reason);
  }
};

/// Raises divisions of window sums.
struct RaiseAverage : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    std::string reason;
    FailureOr<AveragePlan> average = matchAverage(op, reason);
    if (failed(average))
      return rewriter.notifyMatchFailure(op, reason);
    const SumPlan &plan = average->plan;
    remarkRaised(kPass, plan.sum.op, "pool.avg_pool",
                 explainPadding(plan.keptPadding));
    replace(op, plan, average->attrs, rewriter);
    return success();
  }
};

struct ConvertLinalgToPoolPass
    : pool::impl::ConvertLinalgToPoolBase<ConvertLinalgToPoolPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateLinalgToPoolPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    DeadProducers dead;
    walkAndApplyPatterns(getOperation(), patterns, &dead);
    if (dead.getNumReplaced() == 0)
      return markAllAnalysesPreserved();
    numRaised += dead.getNumReplaced();
    dead.erase();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace

void pool::populateLinalgToPoolPatterns(RewritePatternSet &patterns) {
  patterns.add<RaiseWindowReduction, ReportIndices, RaiseAverage>(
      patterns.getContext());
}
