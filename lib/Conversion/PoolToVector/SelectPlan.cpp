// Writes the plans by which convert-pool-to-vector lowers, or pool-to-gpu:
// finds the problem of an operation, and plans it by the strategies for it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptivePlan.h"
#include "Gather/GatherPlan.h"
#include "Reduce/WindowStrategy.h"
#include "Scatter/ScatterPlan.h"

#include "pool/Conversion/Passes.h"
#include "pool/Conversion/PoolToLoops/PoolToLoops.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Target/ResolveTarget.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

namespace mlir::pool {
#define GEN_PASS_DEF_POOLSELECTPLAN
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

ArrayRef<WindowStrategy> pool::getWindowStrategies() {
  static const WindowStrategy strategies[] = {
      kGlobal,      kPlanes,   kVanHerk, kBufferedPlanes, kMerged,
      kFewChannels, kChannels, kStaged,  kDirect};
  return strategies;
}

FailureOr<PlanAttr>
pool::withWindowForm(WindowOpInterface op,
                     function_ref<FailureOr<PlanAttr>(WindowReduceOp)> use) {
  OpBuilder b(op);
  Block *scratch = b.createBlock(op->getParentRegion());
  TilingResult form = op.createWindowForm(b, {}, {});
  auto *reduce = llvm::find_if(form.tiledOps, llvm::IsaPred<WindowReduceOp>);
  FailureOr<PlanAttr> result = use(cast<WindowReduceOp>(*reduce));
  scratch->erase();
  return result;
}

//===----------------------------------------------------------------------===//
// Windows on GPUs, whose plans pool-to-gpu emits
//===----------------------------------------------------------------------===//

namespace {
/// Facts that a plan for a GPU depends on.
struct GPUProblem {
  /// May be the window form of another operation.
  WindowReduceOp op;
  GPU gpu;

  /// Returns the number of elements of a window.
  double countTaps() const {
    return llvm::product_of(WindowReduceOp(op).getWindow().kernel, 1.0);
  }
};

/// A subgroup of neighbouring threads for each output.
struct GPUSubgroupPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "gpu-subgroup";
  int64_t width = 0;

  void visit(PlanFields &fields) { fields.integer("width", width, 1, 64); }

  static LogicalResult admit(const GPUProblem &problem, std::string &reason) {
    if (problem.gpu.subgroupWidth == 0)
      return refuse(reason, "subgroups of this target have no fixed width");
    if (problem.gpu.block % problem.gpu.subgroupWidth != 0)
      return refuse(
          reason,
          "a block of {0} threads is no whole number of subgroups of {1}",
          problem.gpu.block, problem.gpu.subgroupWidth);
    StringRef obstacle = getSubgroupObstacle(problem.op);
    return obstacle.empty() ? success() : refuse(reason, "{0}", obstacle);
  }

  FailureOr<double> choose(const GPUProblem &problem, std::string &reason) {
    width = problem.gpu.subgroupWidth;
    if (cost::kMaxThreadsPerElement * problem.countTaps() < width)
      return refuse(reason, "planes leave most threads of a subgroup idle");
    // A shuffle exchanges 32 bits.
    int64_t numWords = 0;
    for (Value out : WindowReduceOp(problem.op).getOuts()) {
      Type type = getElementTypeOrSelf(out);
      int64_t numBits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
      numWords += llvm::divideCeil(numBits, 32);
    }
    return std::ceil(problem.countTaps() / width) +
           llvm::Log2_64(width) * numWords;
  }

  LogicalResult check(const GPUProblem &problem, PlanScope &,
                      std::string &reason) const {
    if (width == problem.gpu.subgroupWidth)
      return success();
    return refuse(reason,
                  "width is {0}, must be {1}, that of the target's subgroups",
                  width, problem.gpu.subgroupWidth);
  }

  std::string explain(const GPUProblem &) const {
    return "neighbouring threads read neighbouring elements";
  }
};

/// A thread for each output.
struct GPUOutputPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "gpu-output";
  bool clamp = false;

  void visit(PlanFields &fields) { fields.flag("clamp", clamp); }

  FailureOr<double> choose(const GPUProblem &problem, std::string &) {
    WindowReduceOp op = problem.op;
    // Clamped coordinates make long rows of a window slow.
    ArrayRef<int64_t> kernel = op.getWindow().kernel;
    bool hasLongRows =
        isPadded(op, kernel.size() - 1) && kernel.back() > getMaxClampedRow(op);
    clamp = hasPadding(op) && getClampObstacle(op).empty() && !hasLongRows;
    return problem.countTaps();
  }

  LogicalResult check(const GPUProblem &problem, PlanScope &,
                      std::string &reason) const {
    StringRef obstacle = getClampObstacle(problem.op);
    if (!clamp || obstacle.empty())
      return success();
    return refuse(reason, "coordinates cannot be clamped: {0}", obstacle);
  }

  std::string explain(const GPUProblem &problem) const {
    if (clamp)
      return "clamped coordinates give all threads the same code";
    if (!hasPadding(problem.op))
      return "windows have no padding";
    std::string obstacle = getClampObstacle(problem.op).str();
    if (obstacle.empty())
      obstacle = llvm::formatv("rows of more than {0} taps with clamped "
                               "coordinates are not unrolled",
                               getMaxClampedRow(problem.op));
    return "taps outside of the input are left out, because " + obstacle;
  }

private:
  /// True if a window of spatial dimension `i` may reach over the input.
  static bool isPadded(WindowReduceOp op, unsigned i) {
    return !isZeroInteger(op.getMixedPadsBegin()[i]) ||
           !isZeroInteger(op.getMixedPadsEnd()[i]);
  }

  static bool hasPadding(WindowReduceOp op) {
    return llvm::any_of(llvm::seq(op.getWindow().getNumSpatialDims()),
                        [&](unsigned i) { return isPadded(op, i); });
  }

  /// Returns the most taps of a row of a window that may have clamped
  /// coordinates.
  static int64_t getMaxClampedRow(WindowReduceOp op) {
    // With channels first, columns are the last dimension.
    auto type = cast<ShapedType>(op.getInput().getType());
    return op.getWindow().layout == Layout::ChannelsFirst &&
                   !type.isDynamicDim(type.getRank() - 1)
               ? cost::kMaxClampedRow
               : cost::kMaxOtherClampedRow;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

/// The plan of `op`, an operation of the dialect, for `gpu` or, without, for
/// `target`; see planOperation().
static FailureOr<PlanAttr> planPool(StringRef pass, Operation *op,
                                    const Target &target,
                                    const std::optional<GPU> &gpu) {
  auto planForGPU = [&](FailureOr<GPUProblem> problem) {
    using GPUStrategy = Strategy<GPUProblem>;
    static constexpr GPUStrategy strategies[] = {
        GPUStrategy::of<GPUSubgroupPlan>(), GPUStrategy::of<GPUOutputPlan>()};
    return planOperation(pass, op, problem, ArrayRef(strategies),
                         "its loops become kernels without a plan",
                         "loads and shuffles of a thread");
  };
  if (gpu && !isa<WindowReduceOp, WindowOpInterface>(op))
    return planForGPU(failure());
  std::string reason;
  auto plan = [&](const auto &problem, auto strategies) {
    return planOperation(pass, op, problem, strategies, reason);
  };
  auto planWindow = [&](WindowReduceOp reduce) {
    if (gpu)
      return planForGPU(GPUProblem{reduce, *gpu});
    return plan(Problem::get(reduce, target, reason), getWindowStrategies());
  };
  return TypeSwitch<Operation *, FailureOr<PlanAttr>>(op)
      .Case(planWindow)
      .Case([&](WindowOpInterface window) {
        return withWindowForm(window, planWindow);
      })
      .Case([&](AdaptiveOpInterface adaptive) {
        return plan(getAdaptiveProblem(adaptive, target, reason),
                    getAdaptiveStrategies());
      })
      .Case([&](AvgPoolGradOp grad) {
        return plan(GatherProblem::get(grad, target, reason),
                    getGatherStrategies());
      })
      .Case<ExtremumGradOpInterface, MaxUnpoolOp>([&](Operation *scatter) {
        return plan(ScatterProblem::get(scatter, target, reason),
                    getScatterStrategies());
      })
      // No strategy is for any other operation.
      .Default(FailureOr<PlanAttr>(PlanAttr()));
}

namespace {
struct PoolSelectPlanPass : pool::impl::PoolSelectPlanBase<PoolSelectPlanPass> {
  using PoolSelectPlanBase::PoolSelectPlanBase;

  LogicalResult initialize(MLIRContext *context) override {
    TargetNames names{triple, cpu, features};
    FailureOr<std::optional<GPU>> found = resolveGPU(names, context);
    if (failed(found))
      return failure();
    gpu = *found;
    if (gpu ? vectorBits != 0 || !costs.empty() : block != 0)
      return emitError(UnknownLoc::get(context))
             << "target=" << triple
             << (gpu ? " is a GPU: vector-bits and costs are for CPUs"
                     : " is no GPU: block is for GPUs");
    if (gpu) {
      if (block != 0 && failed(checkBlock(block, context)))
        return failure();
      gpu->block = block;
      return success();
    }
    FailureOr<Target> named = resolveTarget(names, vectorBits, context);
    if (failed(named))
      return failure();
    target = *named;
    llvm::Expected<Costs> weights = Costs::parse(costs);
    if (!weights)
      return emitError(UnknownLoc::get(context),
                       llvm::toString(weights.takeError()));
    target.costs = *weights;
    return success();
  }

  void runOnOperation() override {
    if (failed(verifyLowerable(getOperation())))
      return signalPassFailure();
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_present<PoolDialect>(op->getDialect()))
        ops.push_back(op);
    });
    for (Operation *op : ops) {
      if (isa<OnBuffersOp>(op)) {
        StringRef reason = "its code works on buffers already";
        if (PlanAttr::getOf(op)) {
          (void)rejectPlan(op, reason);
          return signalPassFailure();
        }
        remarkLeftAlone(getArgument(), op, reason);
        continue;
      }
      // The conversion makes another operation of it.
      if (auto adaptive = dyn_cast<AdaptiveOpInterface>(op);
          adaptive && hasRegularWindows(adaptive)) {
        remarkLeftAlone(getArgument(), op,
                        "its windows are those of an ordinary operation, which "
                        "pool-adaptive-to-window makes of it");
        continue;
      }
      FailureOr<PlanAttr> plan = planPool(getArgument(), op, target, gpu);
      if (failed(plan))
        return signalPassFailure();
      if (!*plan)
        continue;
      op->setAttr(PlanAttr::getName(), *plan);
      ++numPlanned;
    }
  }

private:
  Target target;
  /// The GPU to plan for, instead of `target`.
  std::optional<GPU> gpu;
};
} // namespace
