// Chooses plans of windows for GPUs, and checks pinned ones. pool-to-gpu emits
// them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reduce/WindowStrategy.h"

#include "pool/Conversion/PoolToLoops/PoolToLoops.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Facts that a plan for a GPU depends on.
struct GPUProblem {
  /// May be the window form of another operation.
  WindowReduceOp op;
  GPU gpu;

  /// Returns the number of elements of a window.
  double countTaps() const {
    double count = 1;
    for (int64_t kernel : WindowReduceOp(op).getWindow().kernel)
      count *= kernel;
    return count;
  }
};

/// A subgroup of neighbouring threads for each output.
struct GPUSubgroupPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "gpu-subgroup";
  int64_t width = 0;

  template <typename Fields>
  void visit(Fields &fields) {
    fields.integer("width", width, 1, 64);
  }

  static LogicalResult admit(const GPUProblem &problem, std::string &reason) {
    if (problem.gpu.subgroupWidth == 0)
      return refuse(reason, "subgroups of this target have no fixed width");
    if (problem.gpu.block % problem.gpu.subgroupWidth != 0)
      return refuse(
          reason,
          "a block of {0} threads is no whole number of subgroups of {1}",
          problem.gpu.block, problem.gpu.subgroupWidth);
    StringRef obstacle = getSubgroupObstacle(problem.op);
    return obstacle.empty() ? success() : refuse(reason, obstacle.str());
  }

  FailureOr<double> choose(const GPUProblem &problem, std::string &reason) {
    width = problem.gpu.subgroupWidth;
    if (cost::kMaxThreadsPerElement * problem.countTaps() < width)
      return refuse(reason, "planes leave most threads of a subgroup idle");
    // A shuffle exchanges 32 bits.
    int64_t numWords = 0;
    for (Value out : WindowReduceOp(problem.op).getOuts()) {
      Type type = getElementTypeOrSelf(out.getType());
      numWords += type.isIndex()
                      ? 2
                      : llvm::divideCeil(type.getIntOrFloatBitWidth(), 32);
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

  template <typename Fields>
  void visit(Fields &fields) {
    fields.flag("clamp", clamp);
  }

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
    return refuse(reason, ("coordinates cannot be clamped: " + obstacle).str());
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
    return !llvm::all_of(op.getMixedPadsBegin(), isZeroInteger) ||
           !llvm::all_of(op.getMixedPadsEnd(), isZeroInteger);
  }

  /// Returns the most taps of a row of a window that may have clamped
  /// coordinates.
  static int64_t getMaxClampedRow(WindowReduceOp op) {
    WindowAttrs window = op.getWindow();
    auto type = cast<ShapedType>(op.getInput().getType());
    bool isKnown =
        !type.isDynamicDim(window.getSpatialDim(window.kernel.size() - 1));
    return isKnown && window.layout == Layout::ChannelsFirst
               ? cost::kMaxClampedRow
               : cost::kMaxOtherClampedRow;
  }
};
} // namespace

FailureOr<PlanAttr> pool::planForGPU(StringRef pass, Operation *op,
                                     WindowReduceOp reduce, const GPU &gpu) {
  using GPUStrategy = PlanningStrategy<GPUProblem>;
  static constexpr GPUStrategy strategies[] = {
      GPUStrategy::of<GPUSubgroupPlan>(), GPUStrategy::of<GPUOutputPlan>()};
  FailureOr<GPUProblem> problem = failure();
  if (reduce)
    problem = GPUProblem{reduce, gpu};
  return planOperation(pass, op, problem, ArrayRef(strategies),
                       "its loops become kernels without a plan",
                       "loads and shuffles of a thread");
}
