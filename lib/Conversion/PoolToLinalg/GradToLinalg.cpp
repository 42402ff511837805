// Lowers the gradients to loop nests over the output's gradient, in row-major
// order. Each element is added at the input position that an extremum chose, or
// at every input position of the window of an average.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowered.h"
#include "ScatterLowering.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Conversion/PoolToLinalg/GradParts.h"
#include "pool/Conversion/PoolToLinalg/PoolToLinalg.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/Casts.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"
#include "pool/Support/SymbolicWindowRules.h"

using namespace mlir;
using namespace mlir::pool;

/// Loads the element of `outputGrad` at `position` and extends it to `accType`.
static Value getAddend(OpBuilder &b, Location loc, Value outputGrad,
                       ValueRange position, Type accType) {
  Value element = tensor::ExtractOp::create(b, loc, outputGrad, position);
  return extendElement(b, loc, element, accType);
}

//===----------------------------------------------------------------------===//
// Gradients of extrema
//===----------------------------------------------------------------------===//

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
    Type type = getElementTypeOrSelf(op.getInput());
    Type accType = getFloatAccumulator(type);
    WindowAttrs window = op.getWindow();
    SmallVector<OpFoldResult> shape =
        tensor::getMixedSizes(rewriter, loc, op.getInput());
    SmallVector<SymbolicDim> dims = resolveDims(rewriter, loc, shape, window);

    IndexedPositions positions(rewriter, loc, op.getNormalizedAxis(), shape);
    Value sums = createLoops(
        rewriter, loc, /*lower=*/{},
        tensor::getMixedSizes(rewriter, loc, op.getOutputGrad()),
        createZeros(rewriter, loc, shape, accType),
        [&](OpBuilder &b, Location loc, ValueRange position, Value target) {
          Value addend =
              getAddend(b, loc, op.getOutputGrad(), position, accType);
          Value index =
              tensor::ExtractOp::create(b, loc, op.getIndices(), position);
          return positions.writeAtIndex(
              b, loc, target, position, index,
              hasElementInside(b, loc, dims, window, position),
              [&](OpBuilder &b, Location loc, Value target, ValueRange place) {
                return addToElement(b, loc, target, place, addend);
              });
        });
    Value inputGrad = roundSums(rewriter, loc, sums, shape, type);
    replaceOpWithCasts(rewriter, op, inputGrad);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// avg_pool_grad
//===----------------------------------------------------------------------===//

/// Builds for the window at one position.
class WindowAt : public ResultBuilder {
public:
  WindowAt(const OpBuilder &b, Location loc, ValueRange position)
      : ResultBuilder(b, loc), position(position) {}
  Value getCoordinate(unsigned d) override { return position[d]; }

private:
  ValueRange position;
};

struct AvgPoolGradToLinalg : OpRewritePattern<AvgPoolGradOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AvgPoolGradOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

LogicalResult
AvgPoolGradToLinalg::matchAndRewrite(AvgPoolGradOp op,
                                     PatternRewriter &rewriter) const {
  if (!op.getOutputGrad().getType().hasRank())
    return rewriter.notifyMatchFailure(op, "the operand is unranked");
  remarkLowered(op, "loops", "no linalg op adds to windows that overlap");
  Location loc = op.getLoc();
  Type type = op.getInputGrad().getType().getElementType();
  Type accType = getFloatAccumulator(type);
  WindowAttrs window = op.getWindow();
  SmallVector<OpFoldResult> shape = op.getMixedSizes();
  SmallVector<SymbolicDim> dims = resolveDims(rewriter, loc, shape, window);

  /// Divides the gradient at `position` by the divisor of its window. Adds the
  /// quotient to every position of this window that is inside the input.
  auto addToWindow = [&](OpBuilder &b, Location loc, ValueRange position,
                         Value target) {
    Value addend = getAddend(b, loc, op.getOutputGrad(), position, accType);
    WindowAt windowAt(b, loc, position);
    if (Value divisor = getDivisor(windowAt, op, dims, accType))
      addend = arith::DivFOp::create(b, loc, addend, divisor);
    SmallVector<OpFoldResult> begin, end;
    AffineExpr lhs, rhs;
    bindSymbols(b.getContext(), lhs, rhs);
    for (auto [i, dim] : llvm::enumerate(dims)) {
      Value o = position[window.getSpatialDim(i)];
      begin.push_back(getFirstValidTap({b, loc}, dim, o));
      end.push_back(affine::makeComposedFoldedAffineApply(
          b, loc, lhs + rhs,
          {begin.back(), getCount({b, loc}, dim, Divisor::Valid, o)}));
    }
    return createLoops(
        b, loc, begin, end, target,
        [&](OpBuilder &b, Location loc, ValueRange taps, Value target) {
          SmallVector<Value> place(position);
          for (auto [i, dim] : llvm::enumerate(dims)) {
            Value &coordinate = place[window.getSpatialDim(i)];
            coordinate = getValueOrCreateConstantIndexOp(
                b, loc, getPosition({b, loc}, dim, coordinate, taps[i]));
          }
          return addToElement(b, loc, target, place, addend);
        });
  };
  SmallVector<OpFoldResult> upper = limitWindows(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, op.getOutputGrad()),
      dims, window);
  Value sums =
      createLoops(rewriter, loc, /*lower=*/{}, upper,
                  createZeros(rewriter, loc, shape, accType), addToWindow);
  rewriter.replaceOp(op, roundSums(rewriter, loc, sums, shape, type));
  return success();
}

void pool::populateGradToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<AvgPoolGradToLinalg, ExtremumGradToLinalg>(
      patterns.getContext());
}
