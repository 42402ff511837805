// Adaptive pooling on vectors: its linalg form tells what becomes of sums and
// positions, and loops over vectors take the place of the reduction.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptive/AdaptivePools.h"

#include "Adaptive/AdaptiveKernel.h"
#include "Epilogue/FusedResults.h"
#include "Emit/WindowKernel.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/Utils/Casts.h"

using namespace mlir;
using namespace mlir::pool;

/// Erases the reduction and what only gave it its first accumulators.
static void eraseReduction(RewriterBase &rewriter, linalg::GenericOp reduce) {
  SmallVector<Value> inits(reduce.getOutputs());
  rewriter.eraseOp(reduce);
  for (Value init : inits) {
    auto fill = init.getDefiningOp<linalg::FillOp>();
    if (!fill || !fill->use_empty())
      continue;
    Operation *empty = fill.getOutputs()[0].getDefiningOp();
    rewriter.eraseOp(fill);
    if (isOpTriviallyDead(empty))
      rewriter.eraseOp(empty);
  }
}

/// `elements` are those of `op` but for the accumulator's type.
template <typename Op>
static void lower(RewriterBase &rewriter, Op op, ElementReduction elements,
                  int64_t carriedAxis, int64_t vectorBits) {
  Location loc = op.getLoc();
  Value input = op.getInput();
  Layout layout = op.getLayout();
  SmallVector<int64_t> outputSize(op.getOutputSize());
  rewriter.setInsertionPoint(op);
  TilingResult form = op.createLinalgForm(rewriter, {}, {});
  auto reduce = cast<linalg::GenericOp>(form.tiledOps.front());
  elements.accType = getElementTypeOrSelf(reduce.getResult(0).getType());
  // All element types of adaptive pooling have vectors.
  FailureOr<LaneReduction> reduction = LaneReduction::get(elements, vectorBits);
  replaceOpWithCasts(rewriter, op, form.tiledValues);

  FusedResults fused(reduce.getResults());
  rewriter.setInsertionPointAfter(fused.getLastOp());
  SmallVector<OpFoldResult> inputShape =
      tensor::getMixedSizes(rewriter, loc, input);
  SmallVector<OpFoldResult> outputShape = inputShape;
  unsigned firstDim = layout == Layout::ChannelsFirst ? 2 : 1;
  SmallVector<SymbolicAdaptiveDim> dims;
  for (auto [i, output] : llvm::enumerate(outputSize)) {
    outputShape[firstDim + i] = rewriter.getIndexAttr(output);
    dims.push_back(
        resolveAdaptiveDim(rewriter, loc, inputShape[firstDim + i], output));
  }
  Value buffer = getBuffer(rewriter, loc, input);
  fused.allocate(rewriter, loc, outputShape);
  AdaptiveKernel kernel{rewriter,   loc,    buffer, fused.chains, fused.buffers,
                        *reduction, layout, dims,   inputShape,   carriedAxis};
  if (layout == Layout::ChannelsFirst)
    createAdaptivePlanes(kernel);
  else
    createAdaptiveChannels(kernel);
  fused.replace(rewriter, loc);
  eraseReduction(rewriter, reduce);
}

void pool::lowerAdaptiveAvgPool(RewriterBase &rewriter, AdaptiveAvgPoolOp op,
                                int64_t vectorBits) {
  Type type = op.getInput().getType().getElementType();
  lower(rewriter, op, {Reduction::Sum, type, type}, /*carriedAxis=*/0,
        vectorBits);
}

void pool::lowerAdaptiveMaxPool(RewriterBase &rewriter, AdaptiveMaxPoolOp op,
                                int64_t vectorBits) {
  Type type = op.getInput().getType().getElementType();
  ElementReduction elements(Reduction::Max, type, type);
  elements.nanMode = op.getNanMode();
  elements.hasPositions = static_cast<bool>(op.getIndices());
  lower(rewriter, op, elements,
        getCarriedAxis(op.getNormalizedAxis(), op.getLayout()), vectorBits);
}
