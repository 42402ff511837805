// Lowers pool.window_reduce on buffers to loops. Each window is clamped to the
// input, so that padding costs neither a buffer nor a comparison per element.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Conversion/PoolToLoops/PoolToLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Transforms/WindowBody.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"
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
  /// Initial accumulators: the padding value for a window that covers padding,
  /// else the identity.
  SmallVector<Value> createInits(OpBuilder &b, Location loc, Value isInside);
  /// Updates the accumulators with the element at `coordinates`.
  SmallVector<Value> accumulate(OpBuilder &b, Location loc,
                                ValueRange coordinates, ValueRange accs);
  /// Argmax position of `coordinates`, for the second output.
  Value getPosition(OpBuilder &b, Location loc, ValueRange coordinates);

  Value getIndex(OpBuilder &b, Location loc, OpFoldResult value) {
    return getValueOrCreateConstantIndexOp(b, loc, value);
  }

  WindowReduceOp op;
  Value input;
  WindowAttrs window;
  SmallVector<SymbolicDim> dims;
};
} // namespace

SmallVector<SymbolicDim> pool::getWindowDims(WindowReduceOp op,
                                             ArrayRef<OpFoldResult> shape) {
  WindowAttrs window = op.getWindow();
  SmallVector<SymbolicDim> dims;
  SmallVector<OpFoldResult> padsBegin = op.getMixedPadsBegin();
  SmallVector<OpFoldResult> padsEnd = op.getMixedPadsEnd();
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    WindowDim windowDim = window.getDim(i);
    SymbolicDim &dim = dims.emplace_back();
    dim.input = shape[window.getSpatialDim(i)];
    dim.padBegin = padsBegin[i];
    dim.padEnd = dim.coveredEnd = padsEnd[i];
    dim.kernel = windowDim.kernel;
    dim.stride = windowDim.stride;
    dim.dilation = windowDim.dilation;
    dim.mayOverhang = false;
  }
  return dims;
}

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

  // The body is not built in a callback: affine ops fold as they are built, for
  // which the loops of their operands must be in the IR already.
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

SmallVector<Value> WindowLoops::reduce(OpBuilder &b, Location loc,
                                       ValueRange output) {
  SmallVector<Value> begins, ends;
  // True if the whole window lies inside the input; null if it always does.
  Value isInside;
  AffineExpr sum = b.getAffineSymbolExpr(0) + b.getAffineSymbolExpr(1);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    Value o = output[window.getSpatialDim(i)];
    OpFoldResult begin = getFirstValidTap(b, loc, dim, o);
    OpFoldResult count = getCount(b, loc, dim, Divisor::Valid, o);
    begins.push_back(getIndex(b, loc, begin));
    ends.push_back(getIndex(
        b, loc,
        affine::makeComposedFoldedAffineApply(b, loc, sum, {begin, count})));
    if (!mayCoverPadding(dim) || op.getPadValue() != PadValue::Zero)
      continue;
    Value all = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::eq, getIndex(b, loc, count),
        getIndex(b, loc, b.getIndexAttr(dim.kernel)));
    isInside = isInside ? arith::AndIOp::create(b, loc, isInside, all) : all;
  }
  SmallVector<Value> steps(dims.size(), getIndex(b, loc, b.getIndexAttr(1)));
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, begins, ends, steps, createInits(b, loc, isInside),
      [&](OpBuilder &b, Location loc, ValueRange taps,
          ValueRange accs) -> scf::ValueVector {
        SmallVector<Value> coordinates(output);
        for (auto [i, dim] : llvm::enumerate(dims)) {
          Value &coordinate = coordinates[window.getSpatialDim(i)];
          coordinate = getIndex(
              b, loc, pool::getPosition(b, loc, dim, coordinate, taps[i]));
        }
        return accumulate(b, loc, coordinates, accs);
      });
  return SmallVector<Value>(nest.results);
}

SmallVector<Value> WindowLoops::createInits(OpBuilder &b, Location loc,
                                            Value isInside) {
  Value init = arith::ConstantOp::create(b, loc, getWindowIdentity(b, op));
  if (isExtremum(op.getReduction()) && isInside) {
    Value padding = arith::ConstantOp::create(b, loc, getWindowPadding(b, op));
    init = arith::SelectOp::create(b, loc, isInside, init, padding);
  }
  SmallVector<Value> inits = {init};
  if (op.hasPositions())
    inits.push_back(
        arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(kNoPosition)));
  return inits;
}

SmallVector<Value> WindowLoops::accumulate(OpBuilder &b, Location loc,
                                           ValueRange coordinates,
                                           ValueRange accs) {
  Value stored = memref::LoadOp::create(b, loc, input, coordinates);
  if (!op.hasPositions())
    return {accumulateElement(b, loc, op, stored, accs[0])};
  Value element = castToSignless(b, loc, stored);
  Value position = getPosition(b, loc, coordinates);
  Value chosen = isChosen(b, loc, ElementReduction(op).getPreference(), element,
                          position, accs[0], accs[1]);
  return {arith::SelectOp::create(b, loc, chosen, element, accs[0]),
          arith::SelectOp::create(b, loc, chosen, position, accs[1])};
}

Value WindowLoops::getPosition(OpBuilder &b, Location loc,
                               ValueRange coordinates) {
  SmallVector<OpFoldResult> positions = op.getMixedPositions();
  Value position = getIndex(b, loc, positions[0]);
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    Value offset =
        b.createOrFold<arith::MulIOp>(loc, coordinates[window.getSpatialDim(i)],
                                      getIndex(b, loc, positions[i + 1]));
    position = b.createOrFold<arith::AddIOp>(loc, position, offset);
  }
  return arith::IndexCastOp::create(b, loc, b.getI64Type(), position);
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
    // On tensors somebody may still ask for it.
    getOperation()->walk([](linalg::GenericOp op) {
      if (op.hasPureBufferSemantics())
        op->removeDiscardableAttr(
            PoolDialect::DividesByCountAttrHelper::getNameStr());
    });
  }

  FrozenRewritePatternSet patterns;
};
} // namespace

void pool::populatePoolToLoopsPatterns(RewritePatternSet &patterns) {
  patterns.add<WindowReduceToLoops>(patterns.getContext());
}
