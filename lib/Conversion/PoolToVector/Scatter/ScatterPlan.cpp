// Finds the problem of a scatter, and lowers it by its plan. Has the strategy
// `slices`, which supports every problem. It clears a slice, and then writes
// its elements one by one. Slices are written in parallel. A slice that was
// just cleared is still in the cache:
//
//   slice                   0  0  0  0  0  0  0  0
//   elements, indices       a at 5, b at 2, c at 5
//   unpooling               0  0  b  0  0  c  0  0     the last element stays
//   gradient                0  0  b  0  0 a+c 0  0     elements are added
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/ScatterPlan.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Conversion/PoolToLinalg/GradientDivisor.h"
#include "pool/Dialect/Pool/IR/Casts.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns the window of each dimension of the pooled input. Batch and channels
/// have windows of one element. Unknown extents are kDynamic.
static SmallVector<ResolvedDim> getWindows(ArrayRef<int64_t> shape,
                                           const WindowAttrs &window) {
  SmallVector<ResolvedDim> result;
  for (int64_t extent : shape)
    result.push_back({extent, extent, 1, 1, 1, 0, 0, 0});
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    ResolvedDim &dim = result[window.getSpatialDim(i)];
    WindowDim own = window.getDim(i);
    // This fails if the extent is unknown: kDynamic is less than 1.
    RuleOr<ResolvedDim> known = resolveDim(dim.input, own, window.modes);
    constexpr int64_t unknown = ShapedType::kDynamic;
    dim = known
              ? *known
              : ResolvedDim{unknown,      unknown,      own.kernel, own.stride,
                            own.dilation, own.padBegin, own.padEnd, 0};
  }
  return result;
}

FailureOr<ScatterProblem>
ScatterProblem::get(Operation *op, const Target &target, std::string &reason) {
  ScatterProblem problem;
  problem.target = target;
  auto grad = dyn_cast<ExtremumGradOpInterface>(op);
  auto unpool = dyn_cast<MaxUnpoolOp>(op);
  Value source = grad ? grad.getOutputGrad() : unpool.getValues();
  Value indices = grad ? grad.getIndices() : unpool.getIndices();
  // If indices are recomputed, they count within the spatial dimensions.
  problem.axis = unpool    ? unpool.getNormalizedAxis()
                 : indices ? grad.getNormalizedAxis()
                           : grad.getWindow().getSpatialDim(0);
  auto sourceType = cast<RankedTensorType>(source.getType());
  auto type = cast<RankedTensorType>(grad ? grad.getInput().getType()
                                          : op->getResult(0).getType());
  if (!isPoolElementType(type.getElementType()))
    return refuse(reason, "its elements have no vectors");
  problem.width = type.getElementTypeBitWidth();
  problem.sourceShape = sourceType.getShape();
  problem.targetShape = type.getShape();
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
  if (grad)
    problem.windows = getWindows(type.getShape(), grad.getWindow());
  if (sourceType.hasStaticShape() && type.hasStaticShape()) {
    Type indexType =
        indices ? getElementTypeOrSelf(indices) : getRecomputedIndexType(grad);
    int64_t indexBits = indexType.getIntOrFloatBitWidth();
    double bits =
        double(sourceType.getNumElements()) * (problem.width + indexBits) +
        double(type.getNumElements()) * problem.width;
    problem.isLarge = bits / 8 >= target.streamedBytes;
  }
  return problem;
}

double ScatterProblem::getChoiceCost() const {
  if (!choice)
    return 0;
  // Estimate comparisons along rows and among rows, shuffles for strides, and
  // conversions of positions. Half of the rows that windows share are reduced
  // twice, for two groups of windows.
  double perRow = 1, ops = 3 * target.costs.codingOps;
  for (const ResolvedDim &dim : llvm::reverse(windows)) {
    ops += perRow * (dim.kernel - 1) * (2 + dim.stride);
    perRow *= 0.5 * (dim.kernel + dim.stride);
  }
  return ops / target.vectorOpsPerCycle / choice->getLength();
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// Emits nested loops over the positions below `extents` whose first
/// coordinates are `outer`.
static void forEachBelow(KernelBuilder &b, ValueRange outer,
                         ArrayRef<Value> extents, const LoopState &carried,
                         KernelBuilder::NestBody body) {
  SmallVector<PositionRange> ranges;
  for (Value extent : extents.drop_front(outer.size()))
    ranges.push_back({0, extent});
  b.forEachIn(ranges, carried, body, outer);
}

namespace {
/// Emits code that writes slices element by element, each where its index says.
class IndexedScatter : ScatterEmitter {
public:
  explicit IndexedScatter(const ScatterEmitter &emitter)
      : ScatterEmitter(emitter) {
    target = collapseFrom(b, target, axis);
    bound = b.getExtents(target).back();
    // These functions need all coordinates, so do not collapse dimensions.
    if (condition || getIndex)
      return;
    Value packed = collapseFrom(b, source, axis);
    Value packedIndices = collapseFrom(b, indices, axis);
    if (packed && packedIndices) {
      source = packed;
      indices = packedIndices;
    }
  }

  /// Emits code that clears the slice at `outer` and writes its elements. If
  /// sums have another type than the target, they are added in a buffer, and
  /// then rounded once.
  void emitSlice(ValueRange outer) {
    Type type = getElementTypeOrSelf(target);
    SmallVector<Value> place(outer);
    Value buffer = target;
    if (accType && accType != type) {
      place.clear();
      buffer = b.allocate(bound, accType);
    }
    Type element = getElementTypeOrSelf(buffer);
    int64_t length =
        getNumLanes(b.target.vectorBits, element.getIntOrFloatBitWidth());
    auto lanes = VectorType::get(length, element);
    Value zeros = b.constant(b.getZeroAttr(getSignless(lanes)));
    zeros = castFromSignless(b, zeros, lanes);
    forEachVector(b, bound, length, {},
                  [&](Value first, const LaneRange &range) {
                    storeLanes(b, zeros, buffer, append(place, first), range);
                  });
    forEachBelow(b, outer, b.getExtents(source), {},
                 [&](ValueRange from) { scatterElement(from, buffer, place); });
    if (buffer == target)
      return;
    forEachVector(
        b, bound, length, {}, [&](Value first, const LaneRange &range) {
          Value sum = loadLanes(b, length, buffer, first, range, /*others=*/0);
          Value rounded = arith::TruncFOp::create(b, lanes.clone(type), sum);
          storeLanes(b, rounded, target, append(outer, first), range);
        });
  }

private:
  /// Emits code that adds the source's element at `position` to the element of
  /// `buffer` that its index names, in the slice at `place`. Without `accType`,
  /// the code overwrites that element. It skips indices out of bounds, and
  /// elements that `condition` rejects.
  void scatterElement(ValueRange position, Value buffer, ValueRange place) {
    Value flat =
        getIndex ? getIndex(position) : b.index(b.load(indices, position));
    // The comparison is unsigned, so a negative index is out of bounds, too.
    Value isThere = b.isBelow(flat, bound);
    if (condition)
      isThere = b.both(isThere, condition(position));
    b.ifTrue(isThere, [&] {
      Value element = b.load(source, position);
      SmallVector<Value> there = append(place, flat);
      if (accType) {
        Value sum = b.load(buffer, there);
        element = b.fold<arith::AddFOp>(
            sum, extendElement(b, b.getLoc(), element, accType));
      }
      b.store(element, buffer, there);
    });
  }

  /// Number of positions of a slice.
  Value bound;
};
} // namespace

void pool::scatterParts(const ScatterEmitter &emitter, int64_t numParallel,
                        function_ref<Value(ValueRange outer)> emit,
                        int64_t numTogether, function_ref<void()> begin) {
  KernelBuilder &b = emitter.b;
  IndexedScatter slices(emitter);
  SmallVector<Value> upper = b.getExtents(emitter.target);
  upper.truncate(numParallel);
  if (numParallel == emitter.axis)
    return b.forEachTogether(upper, numTogether, begin, [&](ValueRange outer) {
      b.ifElse(emit(outer), [&](bool isDone) {
        if (!isDone)
          slices.emitSlice(outer);
      });
    });
  // A slice has several parts, which are also written in parallel. `done`
  // records which parts are right. Slices with a wrong part are written again
  // afterwards.
  Value done =
      memref::AllocOp::create(b, getAsOpFoldResult(upper), b.getI8Type());
  b.forEachTogether(upper, numTogether, begin, [&](ValueRange outer) {
    Value isDone = arith::ExtUIOp::create(b, b.getI8Type(), emit(outer));
    b.store(isDone, done, outer);
  });
  b.forEachParallel(ArrayRef(upper).take_front(emitter.axis),
                    [&](ValueRange outer) {
                      Value all = arith::ConstantIntOp::create(b, 1, 8);
                      forEachBelow(b, outer, upper, all, [&](ValueRange part) {
                        Value isDone = b.load(done, part);
                        all = b.both(all, isDone);
                      });
                      b.ifTrue(b.compare(arith::CmpIPredicate::ne, all, 1),
                               [&] { slices.emitSlice(outer); });
                    });
}

namespace {
/// The strategy `slices`. It clears each slice, and writes its elements one by
/// one.
struct SlicesPlan : ScatterPlan {
  SlicesPlan() : ScatterPlan("slices") {}

  FailureOr<double> chooseParameters(const ScatterProblem &problem,
                                     std::string &) override {
    // Slices are cleared by vectors. Each element takes a load of its index, a
    // load and a store.
    return 1.0 * problem.width / problem.target.vectorBits +
           problem.target.costs.scatterOps / problem.target.vectorOpsPerCycle +
           problem.getChoiceCost();
  }

  void emit(ScatterEmitter &emitter) const override {
    scatterParts(emitter, emitter.axis, [&](ValueRange) -> Value {
      return arith::ConstantIntOp::create(emitter.b, 0, 1);
    });
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

ArrayRef<ScatterStrategy> pool::getScatterStrategies() {
  static constexpr ScatterStrategy strategies[] = {
      createBlocksPlan, createGradientGatherPlan, createSeparablePlan,
      createPlan<ScatterPlan, SlicesPlan>};
  return strategies;
}

/// Emits the code of `plan` on buffers. Returns the tensor that replaces the
/// result of `op`.
static Value scatter(RewriterBase &rewriter, Operation *op,
                     const ScatterProblem &problem, const ScatterPlan &plan) {
  Location loc = op->getLoc();
  SmallVector<OpFoldResult> shape;
  Type type = getElementTypeOrSelf(op->getResult(0)), accType;
  SmallVector<Value> inputs;
  WindowAttrs window;
  SmallVector<SymbolicDim> dims;
  if (auto unpool = dyn_cast<MaxUnpoolOp>(op)) {
    inputs = {unpool.getValues(), unpool.getIndices()};
    shape = unpool.getMixedSizes();
  } else {
    auto grad = cast<ExtremumGradOpInterface>(op);
    Value indices = grad.getIndices();
    inputs = {grad.getOutputGrad(), indices ? indices : grad.getInput()};
    shape = tensor::getMixedSizes(rewriter, loc, grad.getInput());
    accType = getFloatAccumulator(type);
    window = grad.getWindow();
    dims = resolveDims(rewriter, loc, shape, window);
  }
  auto fill = [&](ValueRange buffers, Value target) {
    KernelBuilder b(rewriter, loc, problem.target);
    ScatterEmitter emitter{problem, b, buffers[0], buffers[1], target, accType};
    if (llvm::any_of(dims, mayBeEmpty))
      emitter.condition = [&](ValueRange position) {
        return hasElementInside(b, dims, window, position);
      };
    plan.emit(emitter);
  };
  return writeToBuffer(rewriter, loc, inputs, shape, type, fill);
}

SmallVector<Value> pool::replaceByLoops(RewriterBase &rewriter, Operation *op,
                                        const ScatterProblem &problem,
                                        const ScatterPlan &plan) {
  rewriter.setInsertionPoint(op);
  auto grad = dyn_cast<ExtremumGradOpInterface>(op);
  if (grad && !grad.getIndices() && !plan.choosesElements())
    recomputeIndices(rewriter, grad);
  return replaceOpWithCasts(rewriter, op, scatter(rewriter, op, problem, plan));
}
