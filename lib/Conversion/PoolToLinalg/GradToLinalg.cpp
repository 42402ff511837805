// Lowers the gradients to loop nests over the output's gradient, in row-major
// order. Each element is added at the input position that an extremum chose, or
// at every input position of the window of an average.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowered.h"
#include "ScatterLowering.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Conversion/PoolToLinalg/GradientDivisor.h"
#include "pool/Conversion/PoolToLinalg/PoolToLinalg.h"
#include "pool/Dialect/Pool/IR/Casts.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/IR/Pool.h"

using namespace mlir;
using namespace mlir::pool;

/// Loads the element of `outputGrad` at `position` and extends it to `accType`.
static Value getAddend(ElementBuilder &b, Value outputGrad, ValueRange position,
                       Type accType) {
  Value element = tensor::ExtractOp::create(b, outputGrad, position);
  return extendElement(b, b.getLoc(), element, accType);
}

namespace {
struct ExtremumGradToLinalg
    : OpInterfaceRewritePattern<ExtremumGradOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(ExtremumGradOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!op.getIndices())
      return rewriter.notifyMatchFailure(op, "indices must be computed first");
    if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<UnrankedTensorType>))
      return rewriter.notifyMatchFailure(op, "an operand is unranked");
    remarkLowered(op, "loops", "no linalg op adds where an index says");
    Location loc = op.getLoc();
    ElementBuilder b(rewriter, loc);
    Type type = getElementTypeOrSelf(op.getInput());
    Type accType = getFloatAccumulator(type);
    WindowAttrs window = op.getWindow();
    SmallVector<OpFoldResult> shape =
        tensor::getMixedSizes(b, loc, op.getInput());
    SmallVector<SymbolicDim> dims = resolveDims(b, loc, shape, window);

    IndexedScatter scatter(b, op.getNormalizedAxis(), shape);
    SmallVector<OpFoldResult> upper =
        getKnownExtents(tensor::getMixedSizes(b, loc, op.getOutputGrad()),
                        tensor::getMixedSizes(b, loc, op.getIndices()));
    Value sums = scatter.createLoops(
        b, upper, createZeros(b, shape, accType),
        [&](ElementBuilder &b, ValueRange position, Value slice) {
          Value addend = getAddend(b, op.getOutputGrad(), position, accType);
          return scatter.writeAtIndex(
              b, op.getIndices(), position, slice,
              hasElementInside(b, dims, window, position),
              [&](ElementBuilder &b, ValueRange place, Value slice) {
                return addToElement(b, place, slice, addend);
              });
        });
    replaceOpWithCasts(rewriter, op, roundSums(b, loc, sums, shape, type));
    return success();
  }
};

/// A ResultBuilder whose coordinates are `position`, a position in the output.
/// So it builds code about the window of that output.
class WindowAt : public ResultBuilder {
public:
  WindowAt(const ElementBuilder &b, ValueRange position)
      : ResultBuilder(b, b.getLoc()), position(position) {}
  Value getCoordinate(unsigned d) override { return position[d]; }

private:
  ValueRange position;
};

struct AvgPoolGradToLinalg : OpRewritePattern<AvgPoolGradOp> {
  AvgPoolGradToLinalg(MLIRContext *context, bool parallelChannels)
      : OpRewritePattern(context), parallelChannels(parallelChannels) {}

  LogicalResult matchAndRewrite(AvgPoolGradOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getOutputGrad().getType().hasRank())
      return rewriter.notifyMatchFailure(op, "the operand is unranked");
    remarkLowered(op, "loops", "no linalg op adds to windows that overlap");
    Location loc = op.getLoc();
    ElementBuilder b(rewriter, loc);
    Type type = op.getInputGrad().getType().getElementType();
    Type accType = getFloatAccumulator(type);
    WindowAttrs window = op.getWindow();
    SmallVector<OpFoldResult> shape = op.getMixedSizes();
    SmallVector<SymbolicDim> dims = resolveDims(b, loc, shape, window);

    // Iterations over batch and channels are independent. But with channels
    // last, make channels a sequential innermost loop unless the caller wants
    // it parallel: its adjacent iterations add to adjacent sums.
    SmallVector<unsigned> independent = {0};
    unsigned channelDim = window.getChannelDim();
    if (parallelChannels || channelDim + 1 != shape.size())
      independent.push_back(channelDim);

    /// Divides the gradient at `position` by the divisor of its window. Adds
    /// the quotient to every position of this window that is inside the input.
    auto addToWindow = [&](ElementBuilder &outside, ValueRange position,
                           Value target) {
      WindowAt b(outside, position);
      Value addend = getAddend(b, op.getOutputGrad(), position, accType);
      if (Value divisor = getDivisor(b, op, dims, accType))
        addend = b.divFloat(addend, divisor);
      SmallVector<OpFoldResult> begin, end;
      for (auto [i, dim] : llvm::enumerate(dims)) {
        Value o = position[window.getSpatialDim(i)];
        begin.push_back(getFirstValidTap(b, dim, o));
        end.push_back(
            b.apply(b.symbol(0) + b.symbol(1),
                    {begin.back(), getCount(b, dim, Divisor::Valid, o)}));
      }
      auto addToTap = [&](ElementBuilder &b, ValueRange taps, Value target) {
        SmallVector<Value> place(position);
        for (unsigned d : independent)
          place[d] = b.index(0);
        for (auto [i, dim] : llvm::enumerate(dims)) {
          unsigned d = window.getSpatialDim(i);
          place[d] = b.index(getPosition({b, loc}, dim, position[d], taps[i]));
        }
        return addToElement(b, place, target, addend);
      };
      return createLoops(b, begin, end, target, addToTap);
    };
    SmallVector<OpFoldResult> upper = limitWindows(
        {b, loc}, tensor::getMixedSizes(b, loc, op.getOutputGrad()), dims,
        window);
    Value sums = createScatter(b, independent, upper,
                               createZeros(b, shape, accType), addToWindow);
    rewriter.replaceOp(op, roundSums(b, loc, sums, shape, type));
    return success();
  }

private:
  bool parallelChannels;
};
} // namespace

void pool::populateGradToLinalgPatterns(RewritePatternSet &patterns,
                                        bool parallelChannels) {
  patterns.add<AvgPoolGradToLinalg>(patterns.getContext(), parallelChannels);
  patterns.add<ExtremumGradToLinalg>(patterns.getContext());
}
