// Plans windows whose lanes are merged.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Merged/MergedWindows.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
struct MergedPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "merged", kWhole = "windows";

  static LogicalResult admit(const Problem &problem, std::string &reason) {
    if (failed(problem.checkLanes(Layout::ChannelsFirst, reason)))
      return failure();
    if (problem.getColumns().dilation != 1)
      return refuse(reason, "columns of windows lie apart");
    if (llvm::any_of(problem.dims, [](auto &dim) { return dim.coversPadding; }))
      return refuse(reason, "windows may cover padding");
    if (problem.isUniform)
      return refuse(
          reason,
          "the kernel alone does not tell that no window covers padding");
    int64_t size =
        MergedStrip(problem, problem.getColumns()).getNumOps(problem, 1);
    if (size > cost::kMaxCodeSize)
      return refuse(reason, "{0} operations are no straight code", size);
    return success();
  }

  FailureOr<double> choose(const Problem &problem, std::string &reason) {
    MergedStrip strip(problem, problem.getColumns());
    if (strip.columns.kernel < cost::kMinMergedColumns)
      return refuse(reason,
                    "windows of {0} columns are not worth merging lanes",
                    strip.columns.kernel);
    int64_t width = problem.getColumns().knownOutput.value_or(strip.numWindows);
    int64_t numRows = getNumTaps(ArrayRef(problem.dims).drop_back());
    double perStrip =
        strip.getNumOps(problem, numRows) + problem.target.costs.groupOps;
    return llvm::divideCeil(width, strip.numWindows) * perStrip / width /
           problem.target.vectorOpsPerCycle;
  }

  void emit(WindowKernel &kernel) const {
    KernelBuilder &at = kernel.at;
    const LoopDim &columns = kernel.dims.back();
    MergedWindows windows(kernel, kernel.input,
                          ArrayRef(kernel.dims).drop_back(), columns);
    kernel.forEachRow([&](ValueRange outputs) {
      windows.forEachWidth([&] {
        at.forEach(at.index(0), columns.output, windows.getNumWindows(),
                   [&](Value first) {
                     SmallVector<Value> place =
                         append(outputs, windows.getFirst(first));
                     Accumulator lanes = windows.reduceStrip(
                         outputs.take_front(2), ArrayRef(place).drop_front(2));
                     kernel.store(windows.getReduction(), lanes, place,
                                  windows.getLanes());
                   });
      });
    });
  }
};
} // namespace

const WindowStrategy pool::kMerged = WindowStrategy::of<MergedPlan>();
