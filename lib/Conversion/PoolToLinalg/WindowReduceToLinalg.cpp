// Lowers pool.window_reduce on tensors to linalg: pads the input, then reduces
// it by a named op where one is exact, else by a linalg.generic.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Conversion/PoolToLinalg/PoolToLinalg.h"

#include "Lowered.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"
#include "pool/Dialect/Pool/Utils/WindowBody.h"
#include "pool/Support/IndexBounds.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Named ops
//===----------------------------------------------------------------------===//

/// Creates the named op of type `Op` over `padded`.
template <typename Op>
static Value createNamed(OpBuilder &b, WindowReduceOp op, Value padded,
                         Value init) {
  Location loc = op.getLoc();
  Value taps = tensor::EmptyOp::create(b, loc, op.getKernel(),
                                       getElementTypeOrSelf(padded.getType()));
  return Op::create(b, loc, init.getType(), ValueRange{padded, taps}, init,
                    b.getI64VectorAttr(op.getStrides()),
                    b.getI64VectorAttr(op.getDilations()))
      .getResult(0);
}

/// Returns the reason why no named op of any rank and layout computes the
/// reduction, or an empty string.
static StringRef getReasonAgainstNamed(WindowReduceOp op) {
  Type type = getElementTypeOrSelf(op.getInput().getType());
  if (op.hasPositions())
    return "no named op gives positions";
  if (op.getReduction() == Reduction::PowerSum)
    return "no named op sums powers";
  if (getSignless(type) != type)
    return "named ops compute on signless integers";
  if (isExtremum(op.getReduction()) && isa<FloatType>(type) &&
      ignoresNaN(op.getNanMode()))
    return isMaximum(op.getReduction())
               ? "named maxima propagate NaN, nan_mode is ignore"
               : "named minima propagate NaN, nan_mode is ignore";
  return "";
}

using CreateFn = Value (*)(OpBuilder &, WindowReduceOp, Value, Value);

namespace {
/// Named ops of one rank and layout; null where upstream has no such op.
struct Named {
  size_t numSpatialDims;
  Layout layout;
  CreateFn createMax, createMin, createSum;
};
} // namespace

static CreateFn getCreate(const Named &named, Reduction reduction) {
  switch (reduction) {
  case Reduction::Max:
    return named.createMax;
  case Reduction::Min:
    return named.createMin;
  case Reduction::Sum:
    return named.createSum;
  case Reduction::PowerSum:
    return nullptr;
  }
  llvm_unreachable("all reductions handled");
}

/// Creates the named op that computes `op`. Returns null and sets `reason` if
/// upstream has none.
static Value reduceNamed(OpBuilder &b, WindowReduceOp op, Value padded,
                         Value init, StringRef &reason) {
  using namespace linalg;
  reason = getReasonAgainstNamed(op);
  if (!reason.empty())
    return nullptr;

  static constexpr Named kNamed[] = {
      {1, Layout::ChannelsFirst, createNamed<PoolingNcwMaxOp>, nullptr,
       createNamed<PoolingNcwSumOp>},
      {1, Layout::ChannelsLast, createNamed<PoolingNwcMaxOp>,
       createNamed<PoolingNwcMinOp>, createNamed<PoolingNwcSumOp>},
      {2, Layout::ChannelsFirst, createNamed<PoolingNchwMaxOp>, nullptr,
       createNamed<PoolingNchwSumOp>},
      {2, Layout::ChannelsLast, createNamed<PoolingNhwcMaxOp>,
       createNamed<PoolingNhwcMinOp>, createNamed<PoolingNhwcSumOp>},
      {3, Layout::ChannelsLast, createNamed<PoolingNdhwcMaxOp>,
       createNamed<PoolingNdhwcMinOp>, createNamed<PoolingNdhwcSumOp>},
  };
  for (const Named &named : kNamed) {
    if (named.numSpatialDims != op.getKernel().size() ||
        named.layout != op.getLayout())
      continue;
    if (CreateFn create = getCreate(named, op.getReduction()))
      return create(b, op, padded, init);
  }
  reason = "there is no named op of this rank and layout";
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Generic reductions
//===----------------------------------------------------------------------===//

namespace {
/// Lowers a window_reduce to a linalg.generic.
class GenericReduction {
public:
  GenericReduction(WindowReduceOp op, OpBuilder &b)
      : op(op), window(op.getWindow()),
        type(getElementTypeOrSelf(op.getInput().getType())),
        inputShape(tensor::getMixedSizes(b, op.getLoc(), op.getInput())),
        padsBegin(op.getMixedPadsBegin()), padsEnd(op.getMixedPadsEnd()) {}

  ValueRange create(OpBuilder &b, Value padded, ValueRange inits);

private:
  /// Body of a reduction without positions. `args` are the element and the
  /// accumulator. Returns the new accumulator.
  SmallVector<Value> accumulate(OpBuilder &b, Location loc, ValueRange args);
  /// Body of a reduction with positions. `args` are the element, the
  /// accumulator and its position. Returns the new accumulator and its
  /// position.
  SmallVector<Value> choose(OpBuilder &b, Location loc, ValueRange args);

  /// Coordinate of the current element in spatial dimension `i` of the input.
  Value getCoordinate(OpBuilder &b, Location loc, unsigned i);
  unsigned getTapDim(unsigned i) { return window.getRank() + i; }

  WindowReduceOp op;
  WindowAttrs window;
  Type type;
  SmallVector<OpFoldResult> inputShape, padsBegin, padsEnd;
};
} // namespace

ValueRange GenericReduction::create(OpBuilder &b, Value padded,
                                    ValueRange inits) {
  Location loc = op.getLoc();
  unsigned rank = window.getRank(), numTaps = window.getNumSpatialDims();
  MLIRContext *context = b.getContext();
  unsigned numLoops = rank + numTaps;
  auto dim = [&](unsigned d) { return b.getAffineDimExpr(d); };

  SmallVector<AffineExpr> read, taps, write;
  for (unsigned d = 0; d < rank; ++d)
    write.push_back(dim(d));
  read = write;
  for (unsigned i = 0; i < numTaps; ++i) {
    unsigned d = window.getSpatialDim(i);
    WindowDim windowDim = window.getDim(i);
    read[d] =
        dim(d) * windowDim.stride + dim(getTapDim(i)) * windowDim.dilation;
    taps.push_back(dim(getTapDim(i)));
  }
  SmallVector<AffineMap> maps = {AffineMap::get(numLoops, 0, read, context),
                                 AffineMap::get(numLoops, 0, taps, context)};
  maps.append(inits.size(), AffineMap::get(numLoops, 0, write, context));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.append(numTaps, utils::IteratorType::reduction);

  // Only the shape of this operand matters: it gives the tap loops their
  // bounds.
  Value bounds =
      tensor::EmptyOp::create(b, loc, window.kernel, getSignless(type));
  auto generic = linalg::GenericOp::create(
      b, loc, inits.getTypes(), ValueRange{padded, bounds}, inits, maps,
      iterators, [&](OpBuilder &nested, Location loc, ValueRange args) {
        SmallVector<Value> operands = {args[0]};
        llvm::append_range(operands, args.drop_front(2));
        linalg::YieldOp::create(nested, loc,
                                op.hasPositions()
                                    ? choose(nested, loc, operands)
                                    : accumulate(nested, loc, operands));
      });
  return generic.getResults();
}

SmallVector<Value> GenericReduction::accumulate(OpBuilder &b, Location loc,
                                                ValueRange args) {
  Value acc = castToSignless(b, loc, args[1]);
  acc = accumulateElement(b, loc, op.getElementReduction(), args[0], acc);
  return {castFromSignless(b, loc, acc, args[1].getType())};
}

Value GenericReduction::getCoordinate(OpBuilder &b, Location loc, unsigned i) {
  WindowDim dim = window.getDim(i);
  Value o = linalg::IndexOp::create(b, loc, window.getSpatialDim(i));
  Value tap = linalg::IndexOp::create(b, loc, getTapDim(i));
  AffineExpr coordinate = b.getAffineSymbolExpr(0) * dim.stride +
                          b.getAffineSymbolExpr(1) * dim.dilation -
                          b.getAffineSymbolExpr(2);
  return affine::makeComposedAffineApply(b, loc, coordinate,
                                         {o, tap, padsBegin[i]});
}

SmallVector<Value> GenericReduction::choose(OpBuilder &b, Location loc,
                                            ValueRange args) {
  Value element = castToSignless(b, loc, args[0]);
  Value acc = castToSignless(b, loc, args[1]);
  Value accPosition = args[2];
  SmallVector<OpFoldResult> positions = op.getMixedPositions();

  // Compute the position, and whether it is inside the input.
  Value position = getValueOrCreateConstantIndexOp(b, loc, positions[0]);
  Value inside;
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    Value coordinate = getCoordinate(b, loc, i);
    Value stride = getValueOrCreateConstantIndexOp(b, loc, positions[i + 1]);
    Value offset = b.createOrFold<arith::MulIOp>(loc, coordinate, stride);
    position = b.createOrFold<arith::AddIOp>(loc, position, offset);
    if (isConstantIntValue(padsBegin[i], 0) &&
        isConstantIntValue(padsEnd[i], 0))
      continue;
    // Compared as unsigned, a coordinate before the input is too large. So one
    // comparison checks both ends.
    Value extent = getValueOrCreateConstantIndexOp(
        b, loc, inputShape[window.getSpatialDim(i)]);
    Value in = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult,
                                     coordinate, extent);
    inside = inside ? arith::AndIOp::create(b, loc, inside, in) : in;
  }
  position = arith::IndexCastOp::create(b, loc, b.getI64Type(), position);

  Value chosen = isChosen(b, loc, op.getElementReduction().getPreference(),
                          element, position, acc, accPosition);
  if (inside)
    chosen = arith::AndIOp::create(b, loc, chosen, inside);

  Value value = arith::SelectOp::create(b, loc, chosen, element, acc);
  return {castFromSignless(b, loc, value, type),
          arith::SelectOp::create(b, loc, chosen, position, accPosition)};
}

//===----------------------------------------------------------------------===//
// Pattern
//===----------------------------------------------------------------------===//

/// Returns `pad`, or 0 if it is negative at run time. Without windows, pads may
/// be negative, but a tensor.pad must not remove more elements than there are.
static OpFoldResult getNonNegative(OpBuilder &b, Location loc,
                                   OpFoldResult pad) {
  if (isAtLeast(pad, 0))
    return pad;
  auto map = AffineMap::get(
      0, 1, {b.getAffineSymbolExpr(0), b.getAffineConstantExpr(0)},
      b.getContext());
  return affine::makeComposedFoldedAffineMax(b, loc, map, pad);
}

/// Returns the input with the padding of `op` around it.
static Value getPadded(OpBuilder &b, WindowReduceOp op) {
  WindowAttrs window = op.getWindow();
  SmallVector<OpFoldResult> padsBegin = op.getMixedPadsBegin();
  SmallVector<OpFoldResult> padsEnd = op.getMixedPadsEnd();
  auto isZero = [](OpFoldResult pad) { return isConstantIntValue(pad, 0); };
  if (llvm::all_of(padsBegin, isZero) && llvm::all_of(padsEnd, isZero))
    return op.getInput();

  Location loc = op.getLoc();
  SmallVector<OpFoldResult> low(window.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> high = low;
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    low[window.getSpatialDim(i)] = getNonNegative(b, loc, padsBegin[i]);
    high[window.getSpatialDim(i)] = getNonNegative(b, loc, padsEnd[i]);
  }
  Type type = getElementTypeOrSelf(op.getInput().getType());
  Value padding = arith::ConstantOp::create(
      b, loc, getWindowPadding(b, op.getElementReduction()));
  return tensor::PadOp::create(b, loc, /*resultType=*/Type(), op.getInput(),
                               low, high,
                               castFromSignless(b, loc, padding, type));
}

static Value createFilled(OpBuilder &b, Location loc, TypedAttr value,
                          Value out) {
  Value scalar = arith::ConstantOp::create(b, loc, value);
  scalar =
      castFromSignless(b, loc, scalar, getElementTypeOrSelf(out.getType()));
  return linalg::FillOp::create(b, loc, scalar, out).getResult(0);
}

namespace {
struct WindowReduceToLinalg : OpRewritePattern<WindowReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(WindowReduceOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "not on tensors");
    Location loc = op.getLoc();
    Value out = op.getOuts()[0];
    // Return an empty output as it is: it has no windows, and upstream cannot
    // pad an empty tensor.
    if (llvm::is_contained(cast<ShapedType>(out.getType()).getShape(), 0)) {
      remarkLowered(op, "its output, which has no elements");
      rewriter.replaceOp(op, op.getOuts());
      return success();
    }
    Value padded = getPadded(rewriter, op);
    SmallVector<Value> inits = {createFilled(
        rewriter, loc, getWindowIdentity(rewriter, op.getElementReduction()),
        out)};
    if (op.hasPositions())
      inits.push_back(createFilled(rewriter, loc,
                                   rewriter.getI64IntegerAttr(kNoPosition),
                                   op.getOuts()[1]));
    StringRef reason;
    if (Value named = reduceNamed(rewriter, op, padded, inits[0], reason)) {
      remarkLowered(op, named.getDefiningOp()->getName().getStringRef());
      rewriter.replaceOp(op, named);
      return success();
    }
    remarkLowered(op, "linalg.generic", reason);
    rewriter.replaceOp(
        op, GenericReduction(op, rewriter).create(rewriter, padded, inits));
    return success();
  }
};
} // namespace

void pool::populateWindowReduceToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<WindowReduceToLinalg>(patterns.getContext());
}
