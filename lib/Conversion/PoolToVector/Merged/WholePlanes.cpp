// Windows that are whole planes of channels-first buffers, as in global
// pooling. The planes of a batch are a row of windows that do not overlap.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Merged/MergedWindows.h"

using namespace mlir;
using namespace mlir::pool;

/// Elements of a plane, of a problem that is for this strategy.
static int64_t getNumElements(const Problem &problem) {
  int64_t numElements = 1;
  for (const ProblemDim &dim : problem.dims)
    numElements *= dim.kernel;
  return numElements;
}

namespace {
/// How planes are reduced: several by straight code, or each by a loop.
enum class PlaneCode { Straight, Loop };

struct GlobalPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "global", kWhole = "";
  PlaneCode code = PlaneCode::Straight;

  void visit(PlanFields &fields) {
    fields.keyword("code", code, {"straight", "loop"});
  }

  /// Operations for a plane.
  static int64_t getPlaneSize(const Problem &problem) {
    return 2 * llvm::divideCeil(getNumElements(problem), problem.getLength()) +
           3;
  }

  static LogicalResult admit(const Problem &problem, std::string &reason) {
    if (failed(checkLayout(problem.layout, Layout::ChannelsFirst, reason)))
      return failure();
    if (problem.reduction.hasPositions() || problem.reduction.hasWideSums())
      return refuse(reason,
                    "lanes that are merged have no argmax and no halves");
    if (!problem.isPacked)
      return refuse(reason, "planes are not packed");
    if (problem.isUniform)
      return refuse(
          reason, "lanes are added in an order that parts of a plane have not");
    int64_t numElements = 1;
    for (const ProblemDim &dim : problem.dims) {
      if (dim.knownOutput.value_or(1) != 1 ||
          dim.knownInput.value_or(dim.kernel) != dim.kernel ||
          dim.knownPad != 0 || (dim.dilation != 1 && dim.kernel != 1))
        return refuse(reason, "windows are no whole planes");
      if (llvm::MulOverflow(numElements, dim.kernel, numElements) ||
          numElements > cost::kMaxPlaneElements)
        return refuse(reason, "planes have too many elements");
    }
    return success();
  }

  /// True if a test at run time must find out that a dimension has one window,
  /// which begins and ends with the input.
  bool isPartial(const Problem &problem) const {
    return llvm::any_of(problem.dims, [](const ProblemDim &dim) {
      return !dim.knownInput || !dim.knownOutput;
    });
  }

  static bool needsPackedResults(const Problem &) { return true; }
  FailureOr<double> choose(const Problem &problem, std::string &reason) {
    if (isPartial(problem) &&
        getNumElements(problem) < cost::kMinTestedElements)
      return refuse(
          reason,
          "windows of fewer than {0} elements are not worth a test at run time",
          cost::kMinTestedElements);
    int64_t size = getPlaneSize(problem);
    code = size * problem.getLength() <= cost::kMaxCodeSize
               ? PlaneCode::Straight
               : PlaneCode::Loop;
    return size / problem.target.vectorOpsPerCycle;
  }

  LogicalResult check(const Problem &problem, PlanScope &,
                      std::string &reason) const {
    bool isTested = isPartial(problem);
    if (isTested != static_cast<bool>(otherwise))
      return refuse(reason,
                    isTested
                        ? "windows may be no whole planes at run time: "
                          "otherwise is missing"
                        : "windows are whole planes: otherwise has no meaning");
    if (code == PlaneCode::Loop)
      return success();
    return checkCodeSize("straight code",
                         getPlaneSize(problem) * problem.getLength(), reason);
  }

  Value createCondition(WindowKernel &kernel) const {
    KernelBuilder &at = kernel.at;
    Value isWhole;
    for (const LoopDim &dim : kernel.dims) {
      if (!dim.knownInput)
        isWhole = at.both(isWhole, at.isEqual(dim.input, at.index(dim.kernel)));
      if (!dim.knownOutput)
        isWhole = at.both(isWhole, at.isEqual(dim.output, at.index(1)));
    }
    return isWhole;
  }

  void emit(WindowKernel &kernel) const {
    KernelBuilder &at = kernel.at;
    SmallVector<Value> shape = kernel.getOutputShape();
    Value channels = shape[1];
    int64_t size = getNumElements(kernel.problem);
    LoopDim planes(ProblemDim(), at.mul(channels, size), channels, at.index(0));
    planes.kernel = planes.stride = size;
    planes.knownOutput = kernel.problem.channels;
    MergedWindows windows(kernel, collapseFrom(at, kernel.input, 1),
                          /*rows=*/{}, planes);
    if (code == PlaneCode::Loop)
      windows.useLoop();
    Value results = collapseFrom(at, kernel.buffers[0], 1);
    windows.forEachWidth([&] {
      int64_t numWindows = windows.getNumWindows();
      Value upper[] = {shape[0], at.ceilDiv(channels, numWindows)};
      at.forEachParallel(upper, [&](ValueRange position) {
        Value batch = position[0];
        Value first = windows.getFirst(at.mul(position[1], numWindows));
        Accumulator lanes = windows.reduceStrip(batch, first);
        SmallVector<Value> coordinates(kernel.getRank(), at.index(0));
        coordinates[0] = batch;
        coordinates[1] = first;
        ElementPlace place(coordinates, kernel.reduction.getLength(),
                           windows.getLanes());
        place.laneDim = 1;
        Value value = kernel.chains[0].emit(
            at, kernel.reduction.finish(at, lanes), place, ElementFacts());
        storeLanes(at, value, results, {batch, first}, place.existing);
      });
    });
  }
};
} // namespace

const WindowStrategy pool::kGlobal = WindowStrategy::of<GlobalPlan>();
