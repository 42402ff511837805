// Lowers pool.window_reduce on tensors to linalg: pads the input, and then
// reduces it by a named op such as linalg.pooling_nhwc_max. If no named op
// gives exactly the same results, uses a linalg.generic.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Conversion/PoolToLinalg/PoolToLinalg.h"

#include "Lowered.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/IndexBounds.h"
#include "pool/Dialect/Pool/Utils/WindowBody.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Named ops
//===----------------------------------------------------------------------===//

/// Creates the named op of class `Op`, which reduces the windows of `padded`,
/// and returns its result. `init` has the initial values.
template <typename Op>
static Value createNamed(ElementBuilder &b, WindowReduceOp op, Value padded,
                         Value init) {
  Value taps = tensor::EmptyOp::create(b, op.getKernel(),
                                       getElementTypeOrSelf(padded.getType()));
  return Op::create(b, init.getType(), ValueRange{padded, taps}, init,
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

using CreateFn = Value (*)(ElementBuilder &, WindowReduceOp, Value, Value);

namespace {
/// Functions that create the named ops of one rank and layout. A function is
/// null if upstream has no such op.
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

/// Creates the named op that computes `op`, and returns its result. Returns
/// null and sets `reason` if upstream has no such op.
static Value reduceNamed(ElementBuilder &b, WindowReduceOp op, Value padded,
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

  ValueRange create(ElementBuilder &b, Value padded, ValueRange inits);

private:
  /// Builds the body of a reduction without positions. `args` are the element
  /// and the accumulator. Returns the new accumulator.
  SmallVector<Value> accumulate(ElementBuilder &b, ValueRange args);
  /// Builds the body of a reduction with positions. `args` are the element, the
  /// accumulator and the accumulator's position. Returns the new accumulator
  /// and its position.
  SmallVector<Value> choose(ElementBuilder &b, ValueRange args);

  /// Returns the coordinate of the current element in spatial dimension `i`,
  /// relative to the input without padding. If the element is padding, the
  /// coordinate is outside the input.
  Value getCoordinate(ElementBuilder &b, unsigned i);
  unsigned getTapDim(unsigned i) { return window.getRank() + i; }

  WindowReduceOp op;
  WindowAttrs window;
  Type type;
  SmallVector<OpFoldResult> inputShape, padsBegin, padsEnd;
};
} // namespace

ValueRange GenericReduction::create(ElementBuilder &b, Value padded,
                                    ValueRange inits) {
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
  Value bounds = tensor::EmptyOp::create(b, window.kernel, getSignless(type));
  auto generic = linalg::GenericOp::create(
      b, inits.getTypes(), ValueRange{padded, bounds}, inits, maps, iterators,
      [&](OpBuilder &nested, Location loc, ValueRange args) {
        ElementBuilder b(nested, loc);
        SmallVector<Value> operands = {args[0]};
        llvm::append_range(operands, args.drop_front(2));
        linalg::YieldOp::create(b, op.hasPositions() ? choose(b, operands)
                                                     : accumulate(b, operands));
      });
  return generic.getResults();
}

SmallVector<Value> GenericReduction::accumulate(ElementBuilder &b,
                                                ValueRange args) {
  Value acc = castToSignless(b, b.getLoc(), args[1]);
  acc = accumulateElement(b, op.getElementReduction(), args[0], acc);
  return {castFromSignless(b, b.getLoc(), acc, args[1].getType())};
}

Value GenericReduction::getCoordinate(ElementBuilder &b, unsigned i) {
  WindowDim dim = window.getDim(i);
  Value o = linalg::IndexOp::create(b, window.getSpatialDim(i));
  Value tap = linalg::IndexOp::create(b, getTapDim(i));
  AffineBuilder a(b, b.getLoc());
  AffineExpr coordinate =
      a.symbol(0) * dim.stride + a.symbol(1) * dim.dilation - a.symbol(2);
  return b.value(a.apply(coordinate, {o, tap, padsBegin[i]}));
}

SmallVector<Value> GenericReduction::choose(ElementBuilder &b,
                                            ValueRange args) {
  Location loc = b.getLoc();
  Value element = castToSignless(b, loc, args[0]);
  Value acc = castToSignless(b, loc, args[1]);
  Value accPosition = args[2];
  SmallVector<OpFoldResult> positions = op.getMixedPositions();

  // Compute the position, and whether it is inside the input.
  Value position = b.value(positions[0]), inside;
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    Value coordinate = getCoordinate(b, i);
    position = b.add(position, b.mul(coordinate, positions[i + 1]));
    if (isConstantIntValue(padsBegin[i], 0) &&
        isConstantIntValue(padsEnd[i], 0))
      continue;
    // A coordinate before the input is negative, and too large as an unsigned
    // number. So one comparison checks both bounds.
    OpFoldResult extent = inputShape[window.getSpatialDim(i)];
    inside = b.both(inside, b.isBelow(coordinate, extent));
  }
  position = b.castIndex(b.getI64Type(), position);

  Value chosen = isChosen(b, op.getElementReduction().getPreference(), element,
                          position, acc, accPosition);
  chosen = b.both(chosen, inside);
  return {castFromSignless(b, loc, b.select(chosen, element, acc), type),
          b.select(chosen, position, accPosition)};
}

//===----------------------------------------------------------------------===//
// Pattern
//===----------------------------------------------------------------------===//

/// Returns the maximum of `pad` and 0. If there are no windows, a pad may be
/// negative at run time, and a tensor.pad by it would remove more elements than
/// the input has.
static OpFoldResult getNonNegative(const AffineBuilder &a, OpFoldResult pad) {
  return isAtLeast(pad, 0) ? pad : a.applyMax({a.symbol(0), a.number(0)}, pad);
}

/// Returns the input with the padding of `op` around it. Returns the input
/// itself if all pads are known to be 0.
static Value getPadded(ElementBuilder &b, WindowReduceOp op) {
  WindowAttrs window = op.getWindow();
  SmallVector<OpFoldResult> padsBegin = op.getMixedPadsBegin();
  SmallVector<OpFoldResult> padsEnd = op.getMixedPadsEnd();
  auto isZero = [](OpFoldResult pad) { return isConstantIntValue(pad, 0); };
  if (llvm::all_of(padsBegin, isZero) && llvm::all_of(padsEnd, isZero))
    return op.getInput();

  Location loc = b.getLoc();
  SmallVector<OpFoldResult> low(window.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> high = low;
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    low[window.getSpatialDim(i)] = getNonNegative({b, loc}, padsBegin[i]);
    high[window.getSpatialDim(i)] = getNonNegative({b, loc}, padsEnd[i]);
  }
  Type type = getElementTypeOrSelf(op.getInput().getType());
  Value padding = b.constant(getWindowPadding(b, op.getElementReduction()));
  return tensor::PadOp::create(b, /*resultType=*/Type(), op.getInput(), low,
                               high, castFromSignless(b, loc, padding, type));
}

static Value createFilled(ElementBuilder &b, TypedAttr value, Value out) {
  Value scalar = castFromSignless(b, b.getLoc(), b.constant(value),
                                  getElementTypeOrSelf(out.getType()));
  return linalg::FillOp::create(b, scalar, out).getResult(0);
}

namespace {
struct WindowReduceToLinalg : OpRewritePattern<WindowReduceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(WindowReduceOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "not on tensors");
    Value out = op.getOuts()[0];
    // Return an empty output as it is: it has no windows, and upstream cannot
    // pad an empty tensor.
    if (llvm::is_contained(cast<ShapedType>(out.getType()).getShape(), 0)) {
      remarkLowered(op, "its output, which has no elements");
      rewriter.replaceOp(op, op.getOuts());
      return success();
    }
    ElementBuilder b(rewriter, op.getLoc());
    Value padded = getPadded(b, op);
    SmallVector<Value> inits = {
        createFilled(b, getWindowIdentity(b, op.getElementReduction()), out)};
    if (op.hasPositions())
      inits.push_back(
          createFilled(b, b.getI64IntegerAttr(kNoPosition), op.getOuts()[1]));
    StringRef reason;
    if (Value named = reduceNamed(b, op, padded, inits[0], reason)) {
      remarkLowered(op, named.getDefiningOp()->getName().getStringRef());
      rewriter.replaceOp(op, named);
      return success();
    }
    remarkLowered(op, "linalg.generic", reason);
    rewriter.replaceOp(op, GenericReduction(op, b).create(b, padded, inits));
    return success();
  }
};
} // namespace

void pool::populateWindowReduceToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<WindowReduceToLinalg>(patterns.getContext());
}
