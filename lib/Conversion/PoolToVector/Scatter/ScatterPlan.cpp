// Finds the problem of what writes where indices say, with the windows that
// cover each column, and lowers it by its plan.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/ScatterPlan.h"

#include "Emit/Buffers.h"
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

FailureOr<ScatterProblem>
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
  if (!isPoolElementType(type.getElementType()))
    return refuse(reason, "its elements have no vectors");
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

double ScatterProblem::getChoiceCost() const {
  if (!choice)
    return 0;
  // Comparisons along rows, half of which another group of rows repeats;
  // comparisons among rows; shuffles of strides; conversions of positions.
  double perRow = 1, ops = 3 * target.costs.codingOps;
  for (const ResolvedDim &dim : llvm::reverse(windows)) {
    ops += perRow * (dim.kernel - 1) * (2 + dim.stride);
    perRow *= 0.5 * (dim.kernel + dim.stride);
  }
  return ops / target.vectorOpsPerCycle / choice->getLength();
}

//===----------------------------------------------------------------------===//
// Windows that cover columns
//===----------------------------------------------------------------------===//

static bool isTrivial(const ResolvedDim &dim) {
  return dim.kernel == 1 && dim.stride == 1 && dim.padBegin == 0 &&
         dim.padEnd == 0 && dim.input == dim.output;
}

FailureOr<WindowShape> WindowShape::get(const ScatterProblem &problem,
                                        std::string &reason) {
  if (problem.windows.empty())
    return refuse(reason, "indices are not known to be those of windows");
  int64_t rank = problem.windows.size();
  WindowShape shape;
  shape.numOuter = std::max(problem.axis, rank - 2);
  for (int64_t d = 0; d < rank; ++d) {
    const ResolvedDim &dim = problem.windows[d];
    if (d < shape.numOuter) {
      if (!isTrivial(dim))
        return refuse(reason, "dimension {0}, before the last two, has windows",
                      d);
      continue;
    }
    if (ShapedType::isDynamic(dim.input) || ShapedType::isDynamic(dim.output) ||
        problem.sourceShape[d] != dim.output)
      return refuse(reason, "extents of dimension {0} are not known", d);
    if (dim.input == 0 || dim.output == 0)
      return refuse(reason, "dimension {0} is empty", d);
    // Their indices count nothing, whatever they are.
    if (std::optional<int64_t> empty = getFirstEmptyWindow(dim, Divisor::Valid))
      return refuse(reason, "window {0} of dimension {1} has no elements",
                    *empty, d);
    // Buffers are as long as windows reach.
    int64_t maxReach = 2 * dim.input + cost::kMaxReachBeyond;
    if (getReach(dim) >= maxReach)
      return refuse(reason,
                    "windows of dimension {0} reach over {1} elements, more "
                    "than {2} for an extent of {3}",
                    d, getReach(dim) + 1, maxReach, dim.input);
  }
  shape.column = problem.windows.back();
  shape.row = ResolvedDim{1, 1, 1, 1, 1, 0, 0, 0};
  if (shape.numOuter == rank - 2)
    shape.row = problem.windows[rank - 2];
  for (ResolvedDim *dim : {&shape.row, &shape.column})
    if (dim->kernel == 1)
      dim->dilation = 1;

  // Positions, those in the padding too, are computed in 32 bits.
  int64_t rows, columns, bound;
  if (llvm::AddOverflow(shape.row.input, getReach(shape.row) + 1, rows) ||
      llvm::AddOverflow(shape.column.input, getReach(shape.column) + 1,
                        columns) ||
      llvm::MulOverflow(rows, columns, bound) ||
      bound > std::numeric_limits<int32_t>::max())
    return refuse(reason, "distances have more than 32 bits");
  const ResolvedDim &column = shape.column;
  if (shape.row.stride > cost::kMaxPinnedCodeSize)
    return refuse(reason, "the stride of rows is {0}, more than {1}",
                  shape.row.stride, cost::kMaxPinnedCodeSize);
  if (shape.row.kernel * column.kernel > cost::kMaxPinnedCodeSize)
    return refuse(reason, "windows have more than {0} elements",
                  cost::kMaxPinnedCodeSize);
  if (column.stride > cost::kMaxGatherStride)
    return refuse(reason, "the stride along the row is {0}, more than {1}",
                  column.stride, cost::kMaxGatherStride);

  shape.length = problem.getLength();
  // Differences of positions are known by their lower 16 bits if there are no
  // more of them.
  int64_t reach = shape.getDistance(shape.row.kernel - 1, column.kernel - 1);
  shape.setCodeWidth(problem.target, bound + reach);
  shape.classes.resize(column.stride);
  for (int64_t c = 0; c < column.stride; ++c)
    for (int64_t tap = column.kernel - 1; tap >= 0; --tap) {
      int64_t begin = c + column.padBegin - tap * column.dilation;
      int64_t shift = begin / column.stride;
      if (begin % column.stride != 0)
        continue;
      shape.classes[c].push_back({tap, shift});
      shape.firstShift = std::min(shape.firstShift, shift);
      shape.lastShift = std::max(shape.lastShift, shift);
    }
  return shape;
}

void WindowShape::setCodeWidth(const Target &target, int64_t largest) {
  // With mask registers, half a register is compared in half the time. Other
  // masks must be as wide as the lanes that they select.
  bool isNarrow = target.hasMaskRegisters(/*laneBits=*/16) &&
                  largest < std::numeric_limits<uint16_t>::max();
  codeWidth = isNarrow ? 16 : 32;
}

int64_t WindowShape::getPitch() const {
  int64_t read = getNumGathered() + lastShift;
  return getMargin() + llvm::alignTo(std::max(read, getNumWritten()), length);
}

std::pair<int64_t, int64_t> WindowShape::getInnerVectors() const {
  int64_t perVector = length * column.stride;
  int64_t numVectors = getNumWritten() / length, end = 0;
  // Vectors with windows that begin in the padding.
  int64_t begin = std::min<int64_t>(
      llvm::divideCeil(column.padBegin, perVector), numVectors);
  int64_t last = column.input + column.padBegin - getReach(column) - perVector;
  if (last >= 0)
    end = std::min(last / perVector + 1, numVectors);
  return {begin, std::max(begin, end)};
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

ArrayRef<ScatterStrategy> pool::getScatterStrategies() {
  static const ScatterStrategy strategies[] = {kBlocks, kWindows, kSeparable,
                                               kSlices};
  return strategies;
}

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
  FailureOr<ScatterProblem> problem = ScatterProblem::get(op, target, reason);
  FailureOr<PlanAttr> plan =
      planOperation(pass, op, problem, getScatterStrategies(), reason);
  if (failed(plan))
    return failure();
  rewriter.setInsertionPoint(op);
  auto grad = dyn_cast<ExtremumGradOpInterface>(op);
  bool chooses = *plan && plan->getStrategy() == kSeparable.name;
  if (grad && !grad.getIndices() && !chooses)
    recomputeIndices(rewriter, grad);
  if (*plan)
    replaceOpWithCasts(rewriter, op, scatter(rewriter, op, *problem, *plan));
  return success();
}
