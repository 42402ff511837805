// Plans planes by stages, with channels first: rows in blocks across the lanes,
// and columns along the lanes, by passes through buffers or in registers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reduce/SlidingWindow.h"
#include "Staged/StagedPlan.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Stages of planes: rows in blocks, and columns by passes.
struct BufferedPlan : StagedPlan {
  static constexpr StringLiteral kStrategy = "buffered-planes";

  static LogicalResult admit(const Problem &problem, std::string &reason) {
    if (failed(problem.checkLanes(Layout::ChannelsFirst, reason)))
      return failure();
    if (!problem.hasRows())
      return refuse(reason, "a row alone is no plane");
    return StagedPlan::admit(problem, reason);
  }
  FailureOr<double> choose(const Problem &problem, std::string &reason) {
    return setBlock(problem, reason);
  }
};

/// Stages of planes: rows in blocks, and columns in registers.
struct VanHerkPlan : BufferedPlan {
  static constexpr StringLiteral kStrategy = "van-herk";

  void visit(PlanFields &fields) {
    fields.integer("vectors", slidingVectors, 1, 1 << 10);
  }

  static LogicalResult admit(const Problem &problem, std::string &reason) {
    if (failed(BufferedPlan::admit(problem, reason)))
      return failure();
    const ProblemDim &columns = problem.getColumns();
    if (columns.stride != 1)
      return refuse(reason, "it is for columns at stride 1");
    if (columns.getExtent() > cost::kMaxCodeSize)
      return refuse(reason, "windows of {0} columns are no straight code",
                    columns.getExtent());
    if (problem.reduction.hasPositions())
      return refuse(reason, "columns in registers have no argmax");
    if (problem.reduction.hasWideSums())
      return refuse(reason, "sums are of 128 bits");
    return success();
  }

  FailureOr<double> choose(const Problem &problem, std::string &reason) {
    SlidingWindow window(problem.reduction, problem.getColumns());
    int64_t numRegisters = problem.target.numVectorRegisters;
    if (window.getStateSize() > numRegisters * 3 / 4)
      return refuse(reason,
                    "{0} vectors stay in registers along a row, more than "
                    "three quarters of {1}",
                    window.getStateSize(), numRegisters);
    slidingVectors = std::max<int64_t>(
        cost::kBlockPartBytes * 8 / problem.target.vectorBits, 1);
    // Equal parts.
    if (auto numOutputs = problem.getColumns().knownOutput) {
      int64_t all = llvm::divideCeil(*numOutputs, problem.getLength());
      slidingVectors =
          llvm::divideCeil(all, llvm::divideCeil(all, slidingVectors));
    }
    return setBlock(problem, reason);
  }

  LogicalResult check(const Problem &problem, PlanScope &,
                      std::string &reason) const {
    int64_t numKept =
        SlidingWindow(problem.reduction, problem.getColumns()).getStateSize();
    if (failed(checkKept("kept along a row", numKept, problem.target, reason)))
      return failure();
    return StagedPlan(*this).setBlock(problem, reason);
  }

  void emit(WindowKernel &kernel) const {
    // Blocks are no parameter: they are always as large as possible.
    StagedPlan plan(*this);
    std::string reason;
    (void)plan.setBlock(kernel.problem, reason);
    plan.emit(kernel);
  }
};
} // namespace

const WindowStrategy pool::kBufferedPlanes = WindowStrategy::of<BufferedPlan>();
const WindowStrategy pool::kVanHerk = WindowStrategy::of<VanHerkPlan>();
