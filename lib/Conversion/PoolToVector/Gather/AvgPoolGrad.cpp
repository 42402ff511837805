// The gradient of an average in gather form: each element adds the quotients of
// the windows that cover it. A quotient is the output gradient of a window,
// divided by the window's divisor. At stride 1, the windows that cover an
// element form a window, too, of the same kernel over the output's gradient. So
// the kernels for sums compute the gradient. Kernel 3, no padding, quotients a
// to f of windows 0 to 5:
//
//   element   0   1   2   3   4   5   6   7
//   sum       a   ab  abc bcd cde def ef  f
//
// Other strides have loops of their own. A stride group is `stride` neighboring
// elements: group j has the first elements of window j. In all groups, the
// elements with the same number are covered by the same set of windows, counted
// back from window j. So vectors have a lane for each group, and a shuffle
// spreads the sums over the elements. Kernel 3 at stride 2:
//
//   windows   lane 0 1  2  3     element 0 of group j is covered by windows
//   set 0          a ab bc cd    j and j - 1, element 1 by window j
//   set 1          a b  c  d
//   elements  a a ab b bc c cd d
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fusion/ElementwiseChain.h"
#include "Gather/GatherPlan.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Conversion/PoolToLinalg/GradientDivisor.h"
#include "pool/Dialect/Pool/IR/Casts.h"

using namespace mlir;
using namespace mlir::pool;

/// True if shuffles spread sums over the elements of a stride group. If the
/// stride is too large for that, each window is added to elements in memory.
static bool usesShuffles(const KernelDim &dim) {
  return dim.stride <= cost::kMaxShuffledStride;
}

namespace {
/// The windows that cover one element of a stride group. For group j, they are
/// the `count` windows j - first, j - first - d, j - first - 2 * d, ..., where
/// d is KernelDim::getSharingDistance().
struct WindowsBefore {
  int64_t first, count;
};

/// Emits loops over rows of elements of `target`, which compute, for each
/// element, the sum of the windows that cover it. Windows are added in
/// row-major order.
class StridedGather {
public:
  /// `source` has the quotient of each window, a float. `target` has the same
  /// element type. With usesShuffles() it may have another one, to which sums
  /// are rounded. A dimension that does not `coversPadding` is not pooled: its
  /// element i gathers from element i of the source.
  StridedGather(KernelBuilder &b, Value source, Value target,
                ArrayRef<LoopDim> dims)
      : b(b), source(source), target(target), outer(dims.drop_back()),
        lanes(dims.back()) {
    Type element = getElementTypeOrSelf(source);
    length = getNumLanes(b.target.vectorBits, element.getIntOrFloatBitWidth());
    type = VectorType::get(length, element);
    zeros = b.constant(b.getZeroAttr(type));
    if (!usesShuffles(lanes))
      return;
    sumOfElement.assign(lanes.stride, 0);
    // Taps whose distance is `period` cover the same element of stride groups.
    int64_t period = lanes.getSharingStride();
    for (int64_t tap = 0; tap < std::min(period, lanes.kernel); ++tap) {
      int64_t distance = tap * lanes.dilation, first = distance / lanes.stride;
      int64_t count = llvm::divideCeil(lanes.kernel - tap, period);
      // As `tap` grows, `first` never falls and `count` never rises. So equal
      // sets follow each other.
      if (windowsBefore.empty() || windowsBefore.back().first != first ||
          windowsBefore.back().count != count)
        windowsBefore.push_back({first, count});
      sumOfElement[distance % lanes.stride] = windowsBefore.size();
    }
  }

  void create() {
    auto upper = llvm::map_to_vector(
        outer, [](const LoopDim &dim) { return dim.input; });
    b.forEachParallel(upper, [&](ValueRange row) {
      usesShuffles(lanes) ? gatherStrips(row) : spreadWindows(row);
    });
  }

private:
  /// Emits loops over the rows of windows that cover row `row` of elements, in
  /// ascending order. `body` receives all coordinates of a window except the
  /// last one.
  void forEachWindowRow(ValueRange row, const LoopState &carried,
                        KernelBuilder::NestBody body) {
    SmallVector<PositionRange> ranges;
    for (auto [dim, i] : llvm::zip_equal(outer, row))
      ranges.push_back(dim.coversPadding ? dim.getCovering(b, i)
                                         : PositionRange{i, b.add(i, 1)});
    b.forEachIn(ranges, carried, body);
  }

  /// Emits the sums of row `row` of elements, strip by strip. A strip is
  /// `length` stride groups, with a lane for each.
  void gatherStrips(ValueRange row) {
    Value begin = b.floorDiv(lanes.padBegin, lanes.stride);
    Value elementsEnd = b.add(lanes.input, lanes.padBegin);
    Value end = b.add(b.floorDiv(b.sub(elementsEnd, 1), lanes.stride), 1);
    // The first loop is over groups that have a window, and no element after
    // the input. Its last strip is moved back to end with the last of these
    // groups. The second loop has masks, and is over the groups that are left.
    // If the first kind does not fill a strip, the second loop is over all
    // groups.
    Value numWhole = b.sub(
        b.min(b.floorDiv(elementsEnd, lanes.stride), lanes.output), begin);
    numWhole = b.select(b.isAtLeast(numWhole, length), numWhole, 0);
    b.forEach(0, numWhole, length, [&](Value number) {
      Value first = b.add(begin, b.moveBack(number, numWhole, length));
      // In most strips, all elements and all windows that cover them exist.
      int64_t last = (lanes.getExtent() - 1) / lanes.stride;
      Value hasWindows =
          b.both(b.isAtLeast(first, last),
                 b.isAtLeast(lanes.output, b.add(first, length)));
      Value hasElements =
          lanes.contains(b, lanes.getStart(b, first), length * lanes.stride);
      b.ifElse(b.both(hasWindows, hasElements),
               [&](bool isInner) { gatherStrip(row, first, isInner); });
    });
    b.forEach(b.add(begin, numWhole), end, length, [&](Value first) {
      gatherStrip(row, first, /*isInterior=*/false);
    });
  }

  /// Emits the sums of the strip that begins with stride group `first`. If
  /// `isInterior`, all of its elements and the windows that cover them exist.
  void gatherStrip(ValueRange row, Value first, bool isInterior) {
    SmallVector<Value> sums(windowsBefore.size(), zeros);
    forEachWindowRow(row, sums, [&](ValueRange position) {
      for (auto [windows, sum] : llvm::zip_equal(windowsBefore, sums))
        addWindows(sum, position, windows, first, isInterior);
    });
    sums.insert(sums.begin(), zeros);
    for (int64_t v = 0; v < lanes.stride; ++v) {
      auto ofLane = [&](int64_t lane) {
        int64_t element = v * length + lane;
        int64_t number = sumOfElement[element % lanes.stride];
        return number == 0 ? lane : number * length + element / lanes.stride;
      };
      Value result = gatherLanes(b, sums, mapLanes(length, ofLane));
      Value begin = b.add(lanes.getStart(b, first), v * length);
      store(result, append(row, begin),
            isInterior ? LaneRange()
                       : LaneRange::getInside(b, begin, lanes.input));
    }
  }

  /// Adds to lane l of `sum` the set `windows` of stride group `first` + l, in
  /// ascending order of the windows. `position` has the other coordinates of
  /// the windows.
  void addWindows(Value &sum, ValueRange position, const WindowsBefore &windows,
                  Value first, bool isInterior) {
    auto add = [&](Value window) {
      LaneRange range = isInterior
                            ? LaneRange()
                            : LaneRange::getInside(b, window, lanes.output);
      sum = b.fold<arith::AddFOp>(
          sum,
          loadLanes(b, length, source, append(position, window), range, 0));
    };
    Value nearest = b.sub(first, windows.first);
    int64_t step = lanes.getSharingDistance();
    if (windows.count <= cost::kMaxStraightWindows) {
      for (int64_t i = windows.count - 1; i >= 0; --i)
        add(b.sub(nearest, i * step));
      return;
    }
    Value numBefore = b.index(windows.count - 1), end = b.add(nearest, 1);
    if (!isInterior) {
      // Leave out windows that do not exist in the row.
      numBefore =
          b.min(numBefore, b.floorDiv(b.add(nearest, length - 1), step));
      end = b.min(end, lanes.output);
    }
    b.forEach(b.sub(nearest, b.mul(numBefore, step)), end, step, sum, add);
  }

  /// Emits code that clears row `row` of elements, and adds each window to the
  /// elements that it covers.
  void spreadWindows(ValueRange row) {
    forEachVector(b, lanes.input, length, {},
                  [&](Value first, const LaneRange &range) {
                    store(zeros, append(row, first), range);
                  });
    forEachWindowRow(row, {}, [&](ValueRange position) {
      b.forEach(0, lanes.output, 1, [&](Value window) {
        Value value = b.load(source, append(position, window));
        WindowTaps taps(b);
        taps.add(lanes, lanes.getStart(b, window));
        taps.forEach({}, [&](ArrayRef<Value> column) {
          SmallVector<Value> place = append(row, column);
          b.store(b.fold<arith::AddFOp>(b.load(target, place), value), target,
                  place);
        });
      });
    });
  }

  void store(Value sums, ValueRange place, const LaneRange &range) {
    Type element = getElementTypeOrSelf(target);
    storeLanes(b, truncateFloat(b, b.getLoc(), sums, type.clone(element)),
               target, place, range);
  }

  KernelBuilder &b;
  Value source, target;
  /// All dimensions before the last one, and the last one.
  SmallVector<LoopDim> outer;
  LoopDim lanes;
  SmallVector<WindowsBefore> windowsBefore;
  /// For each element of a stride group in the last dimension, 1 + the index of
  /// its set in `windowsBefore`, or 0 if no window covers it.
  SmallVector<int64_t> sumOfElement;
  VectorType type;
  int64_t length;
  Value zeros;
};

} // namespace

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

AvgPoolGradGather::AvgPoolGradGather(RewriterBase &rewriter, AvgPoolGradOp op,
                                     const GatherProblem &problem)
    : rewriter(rewriter), op(op), problem(problem), loc(op.getLoc()),
      window(op.getWindow()),
      type(op.getInputGrad().getType().getElementType()),
      accType(getFloatAccumulator(type)), shape(op.getMixedSizes()),
      dims(resolveDims(rewriter, loc, shape, window)) {}

Value AvgPoolGradGather::createEmpty(Type elementType) {
  return tensor::EmptyOp::create(rewriter, loc, shape, elementType);
}

Finish AvgPoolGradGather::getRounding() {
  if (type == accType)
    return {type};
  return {type, Finish::Counts::None,
          [type = type](ResultBuilder &b, Value sum) {
            return b.convert<arith::TruncFOp>(type, sum);
          }};
}

Value AvgPoolGradGather::getResult() {
  return roundSums(rewriter, loc, sums, shape, type);
}

void AvgPoolGradGather::create(bool isStrided) {
  if (llvm::any_of(shape, isZeroInteger)) {
    sums = createEmpty(type);
    return;
  }
  Value grad = op.getOutputGrad();
  SmallVector<OpFoldResult> given = tensor::getMixedSizes(rewriter, loc, grad);
  sizes = limitWindows({rewriter, loc}, given, dims, window);
  offsets.assign(sizes.size(), rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> padsBegin, padsEnd;
  AffineExpr s0 = rewriter.getAffineSymbolExpr(0),
             s1 = rewriter.getAffineSymbolExpr(1),
             s2 = rewriter.getAffineSymbolExpr(2);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (isStrided)
      break;
    unsigned d = window.getSpatialDim(i);
    // Tap t of window o covers element i = o - padBegin + t * dilation. So
    // element i is covered by the windows o = i + padBegin - t * dilation.
    // These form a window over the windows, of the same kernel. Its padding is
    // reach - padBegin. If that is negative, the first `offsets[d]` windows
    // cover no element, and are cut off.
    int64_t reach = (dim.kernel - 1) * dim.dilation;
    offsets[d] = atLeastZero(s0 - reach, dim.padBegin);
    padsBegin.push_back(atLeastZero(reach - s0, dim.padBegin));
    sizes[d] = atLeastZero(s0 - s1, {sizes[d], offsets[d]});
    padsEnd.push_back(atLeastZero(s0 - s1 - s2 + reach,
                                  {dim.input, padsBegin.back(), sizes[d]}));
  }
  SmallVector<OpFoldResult> ones(sizes.size(), rewriter.getIndexAttr(1));
  if (sizes != given)
    grad = tensor::ExtractSliceOp::create(rewriter, loc, grad, offsets, sizes,
                                          ones);
  Value quotients = divide(grad);
  if (isStrided) {
    sums = gatherStrided(quotients);
    return;
  }
  SmallVector<int64_t> strides(dims.size(), 1);
  WindowAttrs gather = window;
  gather.strides = strides;
  sums = WindowReduceOp::create(rewriter, loc, quotients, createEmpty(accType),
                                Reduction::Sum, gather, padsBegin, padsEnd)
             .getResult(0);
}

OpFoldResult AvgPoolGradGather::atLeastZero(AffineExpr expr,
                                            ArrayRef<OpFoldResult> symbols) {
  auto map = AffineMap::get(0, symbols.size(),
                            {expr, rewriter.getAffineConstantExpr(0)},
                            rewriter.getContext());
  return affine::makeComposedFoldedAffineMax(rewriter, loc, map, symbols);
}

Value AvgPoolGradGather::gatherStrided(Value quotients) {
  KernelBuilder outside(rewriter, loc, problem.target);
  SmallVector<LoopDim> gathered;
  for (Value extent : outside.value(shape))
    gathered.push_back({ProblemDim(), extent, extent, outside.index(0)});
  for (auto [i, dim] : llvm::enumerate(dims)) {
    unsigned d = window.getSpatialDim(i);
    KernelDim kernel = {dim.kernel, dim.stride,
                        dim.kernel == 1 ? 1 : dim.dilation};
    gathered[d] =
        LoopDim({kernel, {}, {}, {}, /*coversPadding=*/true}, gathered[d].input,
                outside.index(sizes[d]), outside.index(dim.padBegin));
  }
  Type sumType = usesShuffles(gathered.back()) ? type : accType;
  return writeToBuffer(rewriter, loc, quotients, shape, sumType,
                       [&](ValueRange inputs, Value target) {
                         KernelBuilder b(rewriter, loc, problem.target);
                         StridedGather(b, inputs[0], target, gathered).create();
                       });
}

Value AvgPoolGradGather::divide(Value grad) {
  bool isDivided = op.getDivisorOverride()
                       ? op.getDivisorOverride() != 1
                       : llvm::any_of(dims, [&](const SymbolicDim &dim) {
                           return getConstantCount(dim, op.getDivisor()) != 1;
                         });
  if (!isDivided && type == accType)
    return grad;
  // Divide, because a multiplication by the reciprocal rounds twice. That would
  // exceed the error bound.
  Finish quotient{accType, getCounts(dims),
                  [&](ResultBuilder &b, Value element) {
                    Value divisor = getDivisor(b, op, dims, accType);
                    return divisor ? b.divFloat(element, divisor) : element;
                  }};
  return writeToBuffer(
      rewriter, loc, grad, sizes, accType,
      [&](ValueRange inputs, Value target) {
        KernelBuilder b(rewriter, loc, problem.target);
        ElementwiseChain chain(target, &quotient);
        int64_t length =
            getNumLanes(b.target.vectorBits, accType.getIntOrFloatBitWidth());
        SmallVector<Value> upper = b.getExtents(target);
        Value numLanes = upper.pop_back_val();
        b.forEachParallel(upper, [&](ValueRange row) {
          auto divideLanes = [&](Value first, const LaneRange &lanes) {
            SmallVector<Value> position = append(row, first);
            Value element = extendElement(
                b, loc, loadLanes(b, length, inputs[0], position, lanes, 0),
                accType);
            ElementPlace window(position, length, lanes);
            for (auto [coordinate, offset] :
                 llvm::zip_equal(window.coordinates, offsets))
              coordinate = b.add(coordinate, offset);
            storeLanes(b, chain.emit(b, element, window, {}), target, position,
                       lanes);
          };
          forEachVector(b, numLanes, length, {}, divideLanes);
        });
      });
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

namespace {
/// The strategy `window-sums`, for stride 1. It creates a window reduction,
/// which then gets a plan of its own.
struct WindowSumsPlan : GatherPlan {
  WindowSumsPlan() : GatherPlan("window-sums") {}

  LogicalResult supports(const GatherProblem &problem,
                         std::string &reason) const override {
    if (!problem.stridedDim)
      return success();
    return refuse(
        reason,
        "windows move by more than one element in spatial dimension {0}",
        *problem.stridedDim);
  }
  FailureOr<double> chooseParameters(const GatherProblem &problem,
                                     std::string &) override {
    // The reduction shares sums between windows. So its cost grows more slowly
    // than the number of taps.
    return problem.getCost(2 * std::sqrt(problem.numTaps));
  }

  void emit(AvgPoolGradGather &gather) const override {
    gather.create(/*isStrided=*/false);
  }
};

/// The strategy `strided-gather`. It emits loops over rows of elements, for any
/// strides.
struct StridedGatherPlan : GatherPlan {
  StridedGatherPlan() : GatherPlan("strided-gather") {}

  FailureOr<double> chooseParameters(const GatherProblem &problem,
                                     std::string &) override {
    return problem.getCost(problem.numTaps *
                           (2 + problem.target.costs.loopOps));
  }

  void emit(AvgPoolGradGather &gather) const override {
    gather.create(/*isStrided=*/true);
  }
};
} // namespace

ArrayRef<GatherStrategy> pool::getGatherStrategies() {
  static constexpr GatherStrategy strategies[] = {
      createPlan<GatherPlan, WindowSumsPlan>,
      createPlan<GatherPlan, StridedGatherPlan>,
  };
  return strategies;
}
