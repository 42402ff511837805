// Plans adaptive pooling.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptivePlan.h"

#include "Emit/Buffers.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns the type of the accumulators of `op`, which its linalg form tells.
static Type getAccumulatorType(AdaptiveOpInterface op) {
  OpBuilder b(op);
  ScratchOps scratch(b);
  TilingResult form = op.createLinalgForm(b, {}, {});
  Type type = form.tiledOps.front()->getResult(0).getType();
  scratch.erase();
  return getElementTypeOrSelf(type);
}

std::optional<AdaptiveProblem> AdaptiveProblem::get(AdaptiveOpInterface op,
                                                    const Target &target,
                                                    std::string &reason) {
  Type accType = getAccumulatorType(op);
  auto type = cast<RankedTensorType>(op.getInput().getType());
  auto max = dyn_cast<AdaptiveMaxPoolOp>(op.getOperation());
  ElementReduction elements(max ? Reduction::Max : Reduction::Sum,
                            type.getElementType(), accType);
  if (max) {
    elements.nanMode = max.getNanMode();
    elements.hasPositions = static_cast<bool>(max.getIndices());
  } else if (isa<FloatType>(accType) &&
             op->hasAttr(PoolDialect::UniformSumsAttrHelper::getNameStr())) {
    reason = llvm::formatv("{0} asks for the order of linalg's sums",
                           PoolDialect::UniformSumsAttrHelper::getNameStr());
    return std::nullopt;
  }
  // All element types of adaptive pooling have vectors.
  AdaptiveProblem problem{target,
                          *LaneReduction::get(elements, target.vectorBits),
                          op.getLayout(),
                          {},
                          llvm::to_vector(op.getOutputSize())};
  if (max)
    problem.carriedAxis =
        getCarriedAxis(max.getNormalizedAxis(), op.getLayout());
  unsigned firstDim = problem.layout == Layout::ChannelsFirst ? 2 : 1;
  for (int64_t extent : type.getShape().slice(firstDim, problem.outputs.size()))
    problem.inputs.push_back(ShapedType::isDynamic(extent)
                                 ? std::nullopt
                                 : std::optional<int64_t>(extent));
  return problem;
}

//===----------------------------------------------------------------------===//
// Planes
//===----------------------------------------------------------------------===//

SmallVector<RowWindow> pool::getRowWindows(const AdaptiveDim &columns) {
  SmallVector<RowWindow> windows;
  for (int64_t o = 0; o < columns.output; ++o)
    windows.push_back({columns.getStart(o), columns.getEnd(o)});
  return windows;
}

/// Operations for a row in registers; none, with the reason, where it is not
/// for them.
static std::optional<int64_t> getRowSize(const AdaptiveProblem &problem,
                                         std::string &reason) {
  std::optional<int64_t> width = problem.inputs.back();
  int64_t output = problem.outputs.back();
  // Half of the registers.
  int64_t mostVectors = problem.target.numVectorRegisters / 2;
  int64_t length = problem.reduction.getLength();
  if (!width || *width < 1)
    reason = "the width is not known";
  else if (*width > mostVectors * length)
    reason = llvm::formatv("a row has {0} columns, more than {1} vectors",
                           *width, mostVectors);
  else if (output <= cost::kMaxCodeSize)
    return RowWindows(problem.reduction, getRowWindows({*width, output}))
        .getCodeSize();
  else
    reason = llvm::formatv("{0} outputs are no straight code", output);
  return std::nullopt;
}

/// Operations for a plane in registers; the most there are where it is not for
/// them.
static int64_t getPlaneSize(const AdaptiveProblem &problem, int64_t rowSize) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  if (problem.inputs.size() != 2)
    return kMost;
  std::optional<int64_t> height = problem.inputs.front();
  int64_t output = problem.outputs.front();
  if (!height || *height < 1 ||
      std::max(*height, output) > cost::kMaxPinnedCodeSize)
    return kMost;
  int64_t numVectors =
      llvm::divideCeil(*problem.inputs.back(), problem.reduction.getLength());
  // Windows share a row at most.
  int64_t numLoads = (*height + output) * numVectors;
  return 2 * numLoads + output * rowSize;
}

static LogicalResult checkLayout(const AdaptiveProblem &problem, Layout layout,
                                 std::string &reason) {
  if (problem.layout == layout)
    return success();
  reason = llvm::formatv("it is for buffers with the channels {0}",
                         layout == Layout::ChannelsFirst ? "first" : "last");
  return failure();
}

/// Cycles of an output of about so many operations on elements, each window
/// being read once.
static double getElementCost(const AdaptiveProblem &problem, double numLanes) {
  double numOps = 2;
  for (auto [input, output] : llvm::zip_equal(problem.inputs, problem.outputs))
    numOps *= std::ceil(double(input.value_or(2 * output)) / output);
  return numOps / problem.target.vectorOpsPerCycle / numLanes;
}

LogicalResult AdaptivePlanesPlan::admit(const AdaptiveProblem &problem,
                                        std::string &reason) {
  return checkLayout(problem, Layout::ChannelsFirst, reason);
}

FailureOr<double> AdaptivePlanesPlan::choose(const AdaptiveProblem &problem,
                                             std::string &) {
  std::string against;
  if (std::optional<int64_t> rowSize = getRowSize(problem, against);
      rowSize && *rowSize <= cost::kMaxCodeSize)
    place = getPlaneSize(problem, *rowSize) <= cost::kMaxCodeSize
                ? RowPlace::Plane
                : RowPlace::Row;
  return getElementCost(
      problem,
      std::min<int64_t>(problem.reduction.getLength(), problem.outputs.back()));
}

LogicalResult AdaptivePlanesPlan::check(const AdaptiveProblem &problem,
                                        PlanScope &,
                                        std::string &reason) const {
  if (place == RowPlace::Buffer)
    return success();
  std::optional<int64_t> size = getRowSize(problem, reason);
  if (!size)
    return failure();
  if (place == RowPlace::Plane)
    size = getPlaneSize(problem, *size);
  if (*size <= cost::kMaxPinnedCodeSize)
    return success();
  return refuse(reason, "a {0} is no straight code",
                place == RowPlace::Plane ? "plane" : "row");
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

LogicalResult AdaptiveChannelsPlan::admit(const AdaptiveProblem &problem,
                                          std::string &reason) {
  return checkLayout(problem, Layout::ChannelsLast, reason);
}

FailureOr<double> AdaptiveChannelsPlan::choose(const AdaptiveProblem &problem,
                                               std::string &) {
  return getElementCost(problem, problem.reduction.getLength());
}

static constexpr AdaptiveStrategy kAdaptiveStrategies[] = {
    AdaptiveStrategy::of<AdaptivePlanesPlan>(),
    AdaptiveStrategy::of<AdaptiveChannelsPlan>(),
};

ArrayRef<AdaptiveStrategy> pool::getAdaptiveStrategies() {
  return kAdaptiveStrategies;
}
