// The plans for windows on GPUs: a subgroup of threads (a warp) for each
// output, or a thread for each output. Chooses between them, and lowers windows
// by them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Conversion/GPUPlans.h"

#include "GPUWindow.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "pool/Dialect/Pool/Transforms/WindowLoops.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Limits. Clamped rows are measured by benchmarks/run.py gpu --count
// --only spp_k --only big_window_max, with each of --plan '"gpu-output"' and
// --plan '"gpu-output", clamp = true'.
//===----------------------------------------------------------------------===//

/// Largest number of taps of a window's row for which LLVM unrolls a loop over
/// clamped coordinates. Beyond it, a tap takes twice as many instructions. The
/// first number is for rows of known extent with channels first, the second is
/// for others.
constexpr int64_t kMaxClampedRow = 14, kMaxOtherClampedRow = 10;
/// Largest number of a subgroup's threads for each element of a plane. With
/// more, too many threads are idle, and these cost as much as busy ones. Not
/// measured.
constexpr int64_t kMaxThreadsPerElement = 2;

//===----------------------------------------------------------------------===//
// Obstacles
//===----------------------------------------------------------------------===//

StringRef pool::getClampObstacle(const WindowFacts &facts) {
  if (!facts.elements.isExtremum())
    return "a sum counts each element once";
  if (facts.elements.hasPositions)
    return "it has an output for positions";
  if (facts.elements.padValue)
    return "padding has a value";
  for (auto [i, pads] : llvm::enumerate(facts.pads)) {
    WindowDim dim = facts.window.getDim(i);
    if (!pads.padBegin || !pads.coveredEnd)
      return "its padding is unknown";
    int64_t begin = *pads.padBegin, end = *pads.coveredEnd;
    if (begin == 0 && end == 0)
      continue;
    if (dim.dilation != 1)
      return "its windows are dilated and padded";
    // If both pads are smaller than the window, and the input is not empty,
    // each window has an element.
    int64_t extent =
        facts.buffers[0].shape[facts.window.getSpatialDim(i)].value_or(0);
    if (begin + end >= dim.kernel &&
        !(extent > 0 && begin < dim.kernel && end < dim.kernel))
      return "a window may contain only padding";
  }
  return "";
}

StringRef pool::getSubgroupObstacle(const WindowFacts &facts) {
  // The iterations of the loop may become threads. Then one of them would write
  // what others read.
  if (facts.op->getParentOfType<LoopLikeOpInterface>())
    return "it is in a loop, whose iterations become threads";
  int64_t numElements = 1;
  for (auto [i, pads] : llvm::enumerate(facts.pads)) {
    WindowDim dim = facts.window.getDim(i);
    unsigned d = facts.window.getSpatialDim(i);
    std::optional<int64_t> extent = facts.buffers[0].shape[d];
    if (extent != dim.kernel || facts.buffers[1].shape[d] != 1 ||
        pads.padBegin != 0 || pads.coveredEnd != 0 ||
        (dim.dilation != 1 && dim.kernel != 1))
      return extent ? "windows are no whole planes"
                    : "extents are unknown, so windows may be no whole planes";
    if (llvm::MulOverflow(numElements, *extent, numElements))
      return "planes have too many elements";
  }
  if (!isChannelsFirst(facts.window.layout))
    return "threads of neighbouring channels read neighbouring elements";
  if (facts.isUniform())
    return "pool.uniform_sums asks for another order of additions";
  return "";
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

namespace {
/// The plan gpu-subgroup: a subgroup of neighboring threads computes each
/// output.
struct SubgroupPlan : GPUPlan {
  SubgroupPlan() : GPUPlan("gpu-subgroup") {}
  int64_t width = 0;

  void declareParameters(PlanFields &fields) override {
    fields.integer("width", width, 1, 64);
  }

  LogicalResult supports(const GPUProblem &problem,
                         std::string &reason) const override {
    if (const std::optional<GPU> &gpu = problem.gpu) {
      if (gpu->subgroupWidth == 0)
        return refuse(reason, "subgroups of this target have no fixed width");
      if (gpu->block % gpu->subgroupWidth != 0)
        return refuse(
            reason,
            "a block of {0} threads is no whole number of subgroups of {1}",
            gpu->block, gpu->subgroupWidth);
    }
    StringRef obstacle = getSubgroupObstacle(problem.facts);
    return obstacle.empty() ? success() : refuse(reason, "{0}", obstacle);
  }

  FailureOr<double> chooseParameters(const GPUProblem &problem,
                                     std::string &reason) override {
    width = problem.gpu->subgroupWidth;
    if (kMaxThreadsPerElement * problem.countTaps() < width)
      return refuse(reason, "planes leave most threads of a subgroup idle");
    // A shuffle exchanges 32 bits, so count the words of an accumulator.
    int64_t numWords = 0;
    for (const BufferFacts &result : llvm::drop_begin(problem.facts.buffers)) {
      Type type = result.element;
      int64_t numBits = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
      numWords += llvm::divideCeil(numBits, 32);
    }
    return std::ceil(problem.countTaps() / width) +
           llvm::Log2_64(width) * numWords;
  }

  LogicalResult check(const GPUProblem &problem, PlanScope &,
                      std::string &reason) const override {
    if (!problem.gpu && !llvm::isPowerOf2_64(width))
      return refuse(reason, "width is {0}, must be a power of two", width);
    if (!problem.gpu || width == problem.gpu->subgroupWidth)
      return success();
    return refuse(reason,
                  "width is {0}, must be {1}, that of the target's subgroups",
                  width, problem.gpu->subgroupWidth);
  }

  void emit(GPUWindow &window) const override {
    createSubgroupLoops(window.b, window.op, width);
  }

  std::string explain(const GPUProblem &) const override {
    return "neighbouring threads read neighbouring elements";
  }
};

/// The plan gpu-output: a thread computes each output.
struct OutputPlan : GPUPlan {
  OutputPlan() : GPUPlan("gpu-output") {}
  bool clamp = false;

  void declareParameters(PlanFields &fields) override {
    fields.flag("clamp", clamp);
  }

  FailureOr<double> chooseParameters(const GPUProblem &problem,
                                     std::string &) override {
    const WindowFacts &facts = problem.facts;
    // With clamped coordinates, long rows of a window are slow.
    bool hasLongRows = facts.pads.back().coversPadding &&
                       facts.window.kernel.back() > getMaxClampedRow(facts);
    clamp =
        hasPadding(facts) && getClampObstacle(facts).empty() && !hasLongRows;
    return problem.countTaps();
  }

  LogicalResult check(const GPUProblem &problem, PlanScope &,
                      std::string &reason) const override {
    StringRef obstacle = getClampObstacle(problem.facts);
    if (!clamp || obstacle.empty())
      return success();
    return refuse(reason, "coordinates cannot be clamped: {0}", obstacle);
  }

  void emit(GPUWindow &window) const override {
    WindowReduceOp op = window.op;
    SmallVector<OpFoldResult> shape =
        memref::getMixedSizes(window.b, op.getLoc(), op.getInput());
    createWindowLoops(window.b, op, [&](ElementBuilder &b, ValueRange output) {
      return reduceWindow(b, op, op.getInput(), shape, output, clamp);
    });
  }

  std::string explain(const GPUProblem &problem) const override {
    if (clamp)
      return "clamped coordinates give all threads the same code";
    const WindowFacts &facts = problem.facts;
    if (!hasPadding(facts))
      return "windows have no padding";
    std::string obstacle = getClampObstacle(facts).str();
    if (obstacle.empty())
      obstacle = llvm::formatv("rows of more than {0} taps with clamped "
                               "coordinates are not unrolled",
                               getMaxClampedRow(facts));
    return "taps outside of the input are left out, because " + obstacle;
  }

private:
  static bool hasPadding(const WindowFacts &facts) {
    return llvm::any_of(
        facts.pads, [](const PadBounds &pads) { return pads.coversPadding; });
  }

  /// Returns the largest number of taps of a window's row that may have clamped
  /// coordinates.
  static int64_t getMaxClampedRow(const WindowFacts &facts) {
    // With channels first, the last dimension has the columns.
    return isChannelsFirst(facts.window.layout) && facts.buffers[0].shape.back()
               ? kMaxClampedRow
               : kMaxOtherClampedRow;
  }
};
} // namespace

static constexpr Strategy<GPUPlan> kStrategies[] = {
    createPlan<GPUPlan, SubgroupPlan>, createPlan<GPUPlan, OutputPlan>};

//===----------------------------------------------------------------------===//
// Choice and lowering
//===----------------------------------------------------------------------===//

PlanSelection pool::selectGPUPlan(Operation *op, const GPU &gpu) {
  if (std::optional<PlanSelection> none = selectNone(op))
    return *none;
  FailureOr<GPUProblem> problem = failure();
  if (auto reduce = dyn_cast<WindowReduceOp>(op))
    problem = GPUProblem{WindowFacts(reduce), gpu};
  else if (auto window = dyn_cast<WindowOpInterface>(op))
    problem = GPUProblem{WindowFacts(window), gpu};
  return planOperation(op, problem, ArrayRef(kStrategies),
                       "its loops become kernels without a plan",
                       "loads and shuffles of a thread")
      .write(op->getContext());
}

FailureOr<bool> pool::lowerWindowByGPUPlan(RewriterBase &rewriter,
                                           WindowReduceOp op) {
  if (!PlanAttr::getOf(op))
    return false;
  FailureOr<GPUProblem> problem = GPUProblem{WindowFacts(op), std::nullopt};
  auto own = planOperation(op, problem, ArrayRef(kStrategies), "");
  if (!own.plan)
    return rejectPlan(op, own.reason);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  GPUWindow window = {rewriter, op};
  own.plan->emit(window);
  rewriter.eraseOp(op);
  return true;
}
