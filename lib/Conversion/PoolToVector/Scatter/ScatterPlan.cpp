// Plans what writes where indices say, and lowers it by its plan.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/ScatterPlan.h"

#include "Emit/Buffers.h"
#include "Problem/CostModel.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Conversion/PoolToLinalg/GradParts.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Dialect/Pool/Utils/Casts.h"

using namespace mlir;
using namespace mlir::pool;

/// The windows of a gradient in every dimension of its input; see
/// ScatterProblem. Empty where the rule does not give the windows.
static SmallVector<ResolvedDim> getWindows(ArrayRef<int64_t> shape,
                                           const WindowAttrs &window) {
  SmallVector<ResolvedDim> result;
  for (int64_t extent : shape)
    result.push_back({extent, extent, 1, 1, 1, 0, 0, 0});
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    ResolvedDim &dim = result[window.getSpatialDim(i)];
    WindowDim own = window.getDim(i);
    if (ShapedType::isDynamic(dim.input)) {
      dim = {dim.input,    dim.output,   own.kernel, own.stride,
             own.dilation, own.padBegin, own.padEnd, 0};
      continue;
    }
    RuleOr<ResolvedDim> known = resolveDim(dim.input, own, window.modes);
    if (!known)
      return {};
    dim = *known;
  }
  return result;
}

/// True if each window is known to lie in a block of its own, as long as a
/// stride.
static bool haveOwnBlocks(ArrayRef<ResolvedDim> windows) {
  return !windows.empty() && llvm::all_of(windows, [](const ResolvedDim &dim) {
    return dim.padBegin == 0 && dim.input / dim.stride == dim.output &&
           dim.input % dim.stride == 0 &&
           (dim.kernel - 1) * dim.dilation < dim.stride;
  });
}

std::optional<ScatterProblem>
ScatterProblem::get(Operation *op, const Target &target, std::string &reason) {
  ScatterProblem problem;
  problem.target = target;
  auto grad = dyn_cast<ExtremumGradOpInterface>(op);
  auto unpool = dyn_cast<MaxUnpoolOp>(op);
  Value source = grad ? grad.getOutputGrad() : unpool.getValues();
  Value indices = grad ? grad.getIndices() : unpool.getIndices();
  // Indices that the conversion recomputes count within the planes.
  problem.axis = unpool    ? unpool.getNormalizedAxis()
                 : indices ? grad.getNormalizedAxis()
                           : grad.getWindow().getSpatialDim(0);
  auto sourceType = cast<RankedTensorType>(source.getType());
  auto type = cast<RankedTensorType>(grad ? grad.getInput().getType()
                                          : op->getResult(0).getType());
  if (!isPoolElementType(type.getElementType())) {
    reason = "its elements have no vectors";
    return std::nullopt;
  }
  problem.width = type.getElementTypeBitWidth();
  llvm::append_range(problem.sourceShape, sourceType.getShape());
  llvm::append_range(problem.targetShape, type.getShape());
  problem.isUniform =
      op->hasAttr(PoolDialect::UniformSumsAttrHelper::getNameStr());
  if (grad && !indices) {
    ElementReduction elements(grad.getReduction(), type.getElementType(),
                              type.getElementType());
    elements.nanMode = grad.getNanMode();
    elements.hasPositions = true;
    problem.choice = *LaneReduction::get(elements, target.vectorBits);
    problem.preference = elements.getPreference();
  }
  if (grad) {
    problem.windows = getWindows(type.getShape(), grad.getWindow());
    problem.areBlocks = haveOwnBlocks(problem.windows);
  }
  if (sourceType.hasStaticShape() && type.hasStaticShape()) {
    Type indexType =
        indices ? getElementTypeOrSelf(indices) : getRecomputedIndexType(grad);
    int64_t indexBits = indexType.getIntOrFloatBitWidth();
    double bits =
        double(sourceType.getNumElements()) * (problem.width + indexBits) +
        double(type.getNumElements()) * problem.width;
    problem.isLarge = bits / 8 >= target.streamedBytes;
  }
  problem.shape = WindowShape::get(problem, problem.noShape);
  return problem;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// True if rows are whole vectors, if the first one is aligned.
static bool canStream(const ScatterProblem &problem) {
  return problem.targetShape.back() % problem.getLength() == 0;
}

/// Returns the cost for each window of recomputed indices: comparisons along
/// rows, half of which another group of rows repeats; comparisons among rows;
/// shuffles of strides; conversions of positions.
static double getChoiceCost(const ScatterProblem &problem) {
  if (!problem.choice)
    return 0;
  double perRow = 1, ops = 3 * problem.target.costs.codingOps;
  for (const ResolvedDim &dim : llvm::reverse(problem.windows)) {
    ops += perRow * (dim.kernel - 1) * (2 + dim.stride);
    perRow *= 0.5 * (dim.kernel + dim.stride);
  }
  return ops / problem.target.vectorOpsPerCycle / problem.choice->getLength();
}

FailureOr<double> BlocksPlan::choose(const ScatterProblem &problem,
                                     std::string &reason) {
  if (!problem.areBlocks)
    return refuse(reason,
                  "windows are not known to lie in blocks of their own");
  FailureOr<BlockShape> blocks = BlockShape::get(problem, reason);
  if (failed(blocks))
    return failure();
  streams = problem.isLarge && canStream(problem);
  // A comparison, a selection and a store of each position.
  double planCost = problem.target.costs.blockOps * blocks->size /
                    problem.target.vectorOpsPerCycle *
                    std::max<int64_t>(problem.width, 32) /
                    problem.target.vectorBits;
  return planCost + getChoiceCost(problem);
}

LogicalResult BlocksPlan::check(const ScatterProblem &problem, PlanScope &,
                                std::string &reason) const {
  if (failed(BlockShape::get(problem, reason)))
    return failure();
  if (streams && !canStream(problem))
    return refuse(reason, "rows are no whole vectors, which stores past the "
                          "caches are");
  return success();
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// True if the code of a step is no longer than a plan may be chosen for.
static LogicalResult checkChosenSize(int64_t size, std::string &reason) {
  if (size <= cost::kMaxCodeSize)
    return success();
  return refuse(reason,
                "its code is about {0} operations, more "
                "than {1}",
                size, cost::kMaxCodeSize);
}

LogicalResult WindowsPlan::admit(const ScatterProblem &problem,
                                 std::string &reason) {
  if (failed(problem.shape))
    return refuse(reason, problem.noShape);
  // Each window is in the vector of a column that it covers, or in one of the
  // two beside it.
  int64_t before = -problem.shape->firstShift, after = problem.shape->lastShift;
  int64_t length = problem.shape->length;
  if (before <= length && after <= length)
    return success();
  return refuse(reason,
                "columns are covered by windows {0} before and {1} after "
                "their own, more than the {2} lanes of a vector",
                before, after, length);
}

/// Returns the vector operations for a vector of a row of windows: a comparison
/// and an addition for each tap; rows are interleaved and stored, sums are
/// loaded and stored; and windows are coded.
static int64_t getStripSize(const WindowShape &shape) {
  const ResolvedDim &row = shape.row, &column = shape.column;
  int64_t codedTaps = row.kernel - 1;
  if (column.dilation != 1)
    codedTaps += column.kernel - 1;
  return 2 * (row.kernel * column.kernel + shape.getNumCarried() + codedTaps) +
         row.stride * column.stride * column.stride;
}

/// Returns the vector operations in the code of a step. Vectors of windows
/// along a row have code for each that exceeds an end of the row, and one loop.
/// The others choose among rows, and store a vector of strides.
static int64_t getWindowsSize(const WindowShape &shape) {
  return std::min(shape.getNumStrips(), cost::kMaxWindowStrips) *
         getStripSize(shape);
}

FailureOr<double> WindowsPlan::choose(const ScatterProblem &problem,
                                      std::string &reason) {
  const WindowShape &shape = *problem.shape;
  int64_t numRegisters = shape.getNumSums() * shape.column.stride;
  if (numRegisters > problem.target.numVectorRegisters / 2)
    return refuse(reason, "sums take {0} of {1} registers", numRegisters,
                  problem.target.numVectorRegisters);
  if (failed(checkChosenSize(getWindowsSize(shape), reason)))
    return failure();
  const Costs &costs = problem.target.costs;
  double perVector = getStripSize(shape) + costs.codingOps;
  if (!problem.target.hasMaskRegisters(shape.codeWidth))
    perVector += costs.blendOps * shape.row.kernel * shape.column.kernel;
  double ops = perVector * shape.getNumStrips() * shape.getNumSteps();
  double planCost = (ops + costs.planeOps) / problem.target.vectorOpsPerCycle /
                    (double(shape.row.output) * shape.column.output);
  return planCost + getChoiceCost(problem);
}

LogicalResult WindowsPlan::check(const ScatterProblem &problem, PlanScope &,
                                 std::string &reason) const {
  return checkPinnedSize("a row", getWindowsSize(*problem.shape), reason);
}

//===----------------------------------------------------------------------===//
// Separable
//===----------------------------------------------------------------------===//

/// Operations on vectors of the code of a step: of vectors of windows along a
/// row, each that reaches over an end of it and one for all others, of one that
/// chooses among rows, and of a vector of strides.
static int64_t getSeparableSize(const WindowShape &shape) {
  const ResolvedDim &column = shape.column;
  auto [begin, end] = shape.getInnerVectors();
  int64_t numVectors = shape.getNumWritten() / shape.length;
  if (end > begin)
    numVectors -= end - begin - 1;
  return numVectors * column.kernel * (2 * column.stride + 2) +
         7 * shape.row.kernel + 3 * column.kernel +
         column.stride * column.stride;
}

LogicalResult SeparablePlan::admit(const ScatterProblem &problem,
                                   std::string &reason) {
  if (!problem.choice)
    return refuse(reason, "it is given indices");
  if (problem.isUniform)
    return refuse(reason, "sums along rows are added before those of columns");
  if (failed(problem.shape))
    return refuse(reason, problem.noShape);
  return success();
}

FailureOr<double> SeparablePlan::choose(const ScatterProblem &problem,
                                        std::string &reason) {
  const WindowShape &shape = *problem.shape;
  if (failed(checkChosenSize(getSeparableSize(shape), reason)))
    return failure();
  const Costs &costs = problem.target.costs;
  const ResolvedDim &column = shape.column, &row = shape.row;
  int64_t numWindows = shape.getNumWritten() / shape.length;
  // Loads and most stores are beside these.
  double ofRow = double(column.input) / shape.length +
                 numWindows * column.kernel * (column.stride + 2) +
                 shape.getNumStrips() *
                     (2 * column.kernel + column.stride * column.stride) +
                 costs.rowOps;
  double ofWindows = numWindows * 5 * row.kernel + costs.rowOps;
  double ops = double(row.input) * ofRow + double(row.output) * ofWindows;
  return (ops + costs.planeOps) / problem.target.vectorOpsPerCycle /
         (double(row.output) * column.output);
}

LogicalResult SeparablePlan::check(const ScatterProblem &problem, PlanScope &,
                                   std::string &reason) const {
  return checkPinnedSize("a step", getSeparableSize(*problem.shape), reason);
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

FailureOr<double> SlicesPlan::choose(const ScatterProblem &problem,
                                     std::string &) {
  // Clearing by vectors, and a load of an index, of an element and a store.
  return 1.0 * problem.width / problem.target.vectorBits +
         problem.target.costs.scatterOps / problem.target.vectorOpsPerCycle +
         getChoiceCost(problem);
}

static constexpr ScatterStrategy kScatterStrategies[] = {
    ScatterStrategy::of<BlocksPlan>(),
    ScatterStrategy::of<WindowsPlan>(),
    ScatterStrategy::of<SeparablePlan>(),
    ScatterStrategy::of<SlicesPlan>(),
};

ArrayRef<ScatterStrategy> pool::getScatterStrategies() {
  return kScatterStrategies;
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// Emits `plan` on buffers. Returns the result of `op`.
static Value scatter(RewriterBase &b, Operation *op,
                     const ScatterProblem &problem, PlanAttr plan) {
  Location loc = op->getLoc();
  SmallVector<OpFoldResult> shape;
  Type type = getElementTypeOrSelf(op->getResult(0)), accType;
  SourceElementFn condition;
  SmallVector<Value> inputs;
  if (auto unpool = dyn_cast<MaxUnpoolOp>(op)) {
    inputs = {unpool.getValues(), unpool.getIndices()};
    shape = unpool.getMixedSizes();
  } else {
    auto grad = cast<ExtremumGradOpInterface>(op);
    Value indices = grad.getIndices();
    inputs = {grad.getOutputGrad(), indices ? indices : grad.getInput()};
    shape = tensor::getMixedSizes(b, loc, grad.getInput());
    accType = getFloatAccumulator(type);
    WindowAttrs window = grad.getWindow();
    SmallVector<SymbolicDim> dims = resolveDims(b, loc, shape, window);
    if (llvm::any_of(dims, mayBeEmpty))
      condition = [=](KernelBuilder &at, ValueRange position) {
        return hasElementInside(at, at.getLoc(), dims, window, position);
      };
  }
  auto fill = [&](ValueRange buffers, Value target) {
    KernelBuilder at(b, loc, problem.target);
    ScatterEmitter emitter{problem, at,      buffers[0], buffers[1],
                           target,  accType, condition};
    findStrategy(getScatterStrategies(), plan.getStrategy().getValue())
        ->emit(emitter, plan);
  };
  return writeToBuffer(b, loc, inputs, shape, type, fill);
}

LogicalResult pool::lowerScatter(StringRef pass, RewriterBase &rewriter,
                                 Operation *op, const Target &target) {
  std::string reason;
  std::optional<ScatterProblem> problem =
      ScatterProblem::get(op, target, reason);
  FailureOr<PlanAttr> plan =
      planOperation(pass, op, problem, getScatterStrategies(), reason);
  if (failed(plan))
    return failure();
  rewriter.setInsertionPoint(op);
  auto grad = dyn_cast<ExtremumGradOpInterface>(op);
  bool chooses = *plan && plan->getStrategy() == SeparablePlan::kStrategy;
  if (grad && !grad.getIndices() && !chooses)
    recomputeIndices(rewriter, grad);
  if (*plan)
    replaceOpWithCasts(rewriter, op, scatter(rewriter, op, *problem, *plan));
  return success();
}
