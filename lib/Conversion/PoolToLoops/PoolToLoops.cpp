// Lowers pool.window_reduce on buffers to loops. The loops leave out taps
// beside the input, so that padding costs neither a buffer nor a comparison per
// element.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Conversion/PoolToLoops/PoolToLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Dialect/Pool/Transforms/WindowOnBuffers.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Support/SymbolicWindowRules.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CONVERTPOOLTOLOOPS
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Builds the loops of one window_reduce on buffers.
class WindowLoops {
public:
  WindowLoops(OpBuilder &b, Location loc, WindowReduceOp op, Value input);

  void create(OpBuilder &b);
  /// Reduces the window at `output` to its accumulators, of signless types.
  SmallVector<Value> reduce(OpBuilder &b, Location loc, ValueRange output);

private:
  Value getIndex(OpBuilder &b, Location loc, OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, loc, value);
  }

  WindowReduceOp op;
  Value input;
  WindowAttrs window;
  SmallVector<SymbolicDim> dims;
};
} // namespace

WindowLoops::WindowLoops(OpBuilder &b, Location loc, WindowReduceOp op,
                         Value input)
    : op(op), input(input), window(op.getWindow()),
      dims(getWindowDims(op, memref::getMixedSizes(b, loc, input))) {}

void WindowLoops::create(OpBuilder &b) {
  Location loc = op.getLoc();
  SmallVector<Value> upper = getValueOrCreateConstantIndexOp(
      b, loc, memref::getMixedSizes(b, loc, op.getOuts()[0]));
  SmallVector<Value> lower(upper.size(), getIndex(b, loc, b.getIndexAttr(0)));
  SmallVector<Value> steps(upper.size(), getIndex(b, loc, b.getIndexAttr(1)));
  auto loops = scf::ParallelOp::create(b, loc, lower, upper, steps);

  // Do not build the body in a callback: affine ops fold when they are created,
  // which requires that the loops of their operands are already in the IR.
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loops.getBody());
  SmallVector<Value> output(loops.getInductionVars());
  SmallVector<Value> results = reduce(b, loc, output);
  for (auto [value, out] : llvm::zip_equal(results, op.getOuts())) {
    Type type = cast<MemRefType>(out.getType()).getElementType();
    memref::StoreOp::create(b, loc, castFromSignless(b, loc, value, type), out,
                            output);
  }
}

StringRef pool::getClampObstacle(WindowReduceOp op) {
  if (!isExtremum(op.getReduction()))
    return "a sum counts each element once";
  if (op.hasPositions())
    return "it has an output for positions";
  if (op.getPadValue())
    return "padding has a value";
  WindowAttrs window = op.getWindow();
  auto shape = cast<ShapedType>(op.getInput().getType()).getShape();
  SmallVector<OpFoldResult> begins = op.getMixedPadsBegin();
  SmallVector<OpFoldResult> ends = op.getMixedPadsEnd();
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    std::optional<int64_t> begin = getConstantIntValue(begins[i]);
    std::optional<int64_t> end = getConstantIntValue(ends[i]);
    WindowDim dim = window.getDim(i);
    if (!begin || !end)
      return "its padding is unknown";
    if (*begin == 0 && *end == 0)
      continue;
    if (dim.dilation != 1)
      return "its windows are dilated and padded";
    // With less padding than a window, each window has an element, if there is
    // one at all.
    int64_t extent = shape[window.getSpatialDim(i)];
    bool isKnown = !ShapedType::isDynamic(extent) && extent > 0;
    if (*begin + *end >= dim.kernel &&
        !(isKnown && *begin < dim.kernel && *end < dim.kernel))
      return "a window may contain only padding";
  }
  return "";
}

StringRef pool::getSubgroupObstacle(WindowReduceOp op) {
  // One thread would write what others read, in kernels of such a loop.
  if (op->getParentOfType<LoopLikeOpInterface>())
    return "it is in a loop, whose iterations become threads";
  WindowAttrs window = op.getWindow();
  auto input = cast<ShapedType>(op.getInput().getType()).getShape();
  auto output = cast<ShapedType>(op.getOuts()[0].getType()).getShape();
  int64_t numElements = 1;
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    WindowDim dim = window.getDim(i);
    int64_t extent = input[window.getSpatialDim(i)];
    if (extent != dim.kernel || output[window.getSpatialDim(i)] != 1 ||
        !isZeroInteger(op.getMixedPadsBegin()[i]) ||
        !isZeroInteger(op.getMixedPadsEnd()[i]) ||
        (dim.dilation != 1 && dim.kernel != 1))
      return ShapedType::isDynamic(extent)
                 ? "extents are unknown, so windows may be no whole planes"
                 : "windows are no whole planes";
    if (llvm::MulOverflow(numElements, extent, numElements))
      return "planes have too many elements";
  }
  if (window.getSpatialDim(window.getNumSpatialDims() - 1) + 1 != input.size())
    return "threads of neighbouring channels read neighbouring elements";
  if (op->hasAttr(PoolDialect::UniformSumsAttrHelper::getNameStr()) &&
      !isExtremum(op.getReduction()) &&
      isa<FloatType>(getElementTypeOrSelf(op.getInput().getType())))
    return "pool.uniform_sums asks for another order of additions";
  return "";
}

/// True if the plan of `op` says that coordinates are clamped.
static bool isClamped(WindowReduceOp op) {
  PlanAttr plan = PlanAttr::getOf(op);
  auto clamp =
      plan ? plan.getParameters().getAs<BoolAttr>("clamp") : BoolAttr();
  return clamp && clamp.getValue() &&
         plan.getStrategy().getValue() == "gpu-output" &&
         getClampObstacle(op).empty();
}

SmallVector<Value> WindowLoops::reduce(OpBuilder &b, Location loc,
                                       ValueRange output) {
  SmallVector<Value> begins, ends;
  SmallVector<OpFoldResult> counts;
  AffineExpr sum = b.getAffineSymbolExpr(0) + b.getAffineSymbolExpr(1);
  bool clamp = isClamped(op);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (clamp) {
      counts.push_back(b.getIndexAttr(dim.kernel));
      begins.push_back(getIndex(b, loc, b.getIndexAttr(0)));
      ends.push_back(getIndex(b, loc, counts.back()));
      continue;
    }
    Value o = output[window.getSpatialDim(i)];
    OpFoldResult begin = getFirstValidTap(b, loc, dim, o);
    OpFoldResult count = getCount(b, loc, dim, Divisor::Valid, o);
    counts.push_back(count);
    begins.push_back(getIndex(b, loc, begin));
    ends.push_back(getIndex(
        b, loc,
        affine::makeComposedFoldedAffineApply(b, loc, sum, {begin, count})));
  }
  Value isWhole = createIsWholeWindow(b, loc, op, dims,
                                      [&](unsigned i) { return counts[i]; });
  SmallVector<Value> steps(dims.size(), getIndex(b, loc, b.getIndexAttr(1)));
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, begins, ends, steps, createWindowInits(b, loc, op, isWhole),
      [&](OpBuilder &b, Location loc, ValueRange taps,
          ValueRange accs) -> scf::ValueVector {
        SmallVector<Value> coordinates(output);
        for (auto [i, dim] : llvm::enumerate(dims)) {
          Value &coordinate = coordinates[window.getSpatialDim(i)];
          coordinate = getIndex(
              b, loc, pool::getPosition(b, loc, dim, coordinate, taps[i]));
          if (!clamp || !mayCoverPadding(dim))
            continue;
          Value first = getIndex(b, loc, b.getIndexAttr(0));
          Value one = getIndex(b, loc, b.getIndexAttr(1));
          Value last = b.createOrFold<arith::SubIOp>(
              loc, getIndex(b, loc, dim.input), one);
          coordinate = arith::MaxSIOp::create(b, loc, coordinate, first);
          coordinate = arith::MinSIOp::create(b, loc, coordinate, last);
        }
        Value stored = memref::LoadOp::create(b, loc, input, coordinates);
        return accumulateInWindow(b, loc, op, stored, coordinates, accs);
      });
  return SmallVector<Value>(nest.results);
}

SmallVector<Value> pool::reduceWindow(OpBuilder &b, Location loc,
                                      WindowReduceOp op, Value input,
                                      ValueRange output) {
  return WindowLoops(b, loc, op, input).reduce(b, loc, output);
}

//===----------------------------------------------------------------------===//
// Pattern and pass
//===----------------------------------------------------------------------===//

namespace {
struct WindowReduceToLoops : OpRewritePattern<WindowReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(WindowReduceOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureBufferSemantics())
      return rewriter.notifyMatchFailure(op, "not on buffers");
    WindowLoops(rewriter, op.getLoc(), op, op.getInput()).create(rewriter);
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertPoolToLoopsPass
    : pool::impl::ConvertPoolToLoopsBase<ConvertPoolToLoopsPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populatePoolToLoopsPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    getOperation()->walk([&](WindowReduceOp op) {
      if (op.hasPureBufferSemantics())
        ++numLowered;
    });
    walkAndApplyPatterns(getOperation(), patterns);
    removeFactsOnBuffers(getOperation());
  }

  FrozenRewritePatternSet patterns;
};
} // namespace

void pool::populatePoolToLoopsPatterns(RewritePatternSet &patterns) {
  patterns.add<WindowReduceToLoops>(patterns.getContext());
}
