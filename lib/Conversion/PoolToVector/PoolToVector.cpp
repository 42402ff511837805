// The conversion of pooling to vector code: the reduction and what follows it
// element by element become one loop nest.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Remarks.h"
#include "AdaptivePools.h"
#include "FusedResults.h"
#include "ScatterOps.h"
#include "WindowKernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "pool/Conversion/Passes.h"
#include "pool/Conversion/PoolToLinalg/PoolToLinalg.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/IR/RuntimeChecks.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CONVERTPOOLTOVECTOR
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// One operation
//===----------------------------------------------------------------------===//

static LogicalResult createLoops(WindowKernel &kernel) {
  return success(succeeded(createPlaneLoops(kernel)) ||
                 succeeded(createChannelLoops(kernel)) ||
                 succeeded(createTapLoops(kernel)));
}

/// The most that strides and dilations are: with more, spans of several windows
/// could leave 64 bits.
static constexpr int64_t kMaxStep = int64_t(1) << 20;

/// True if there are no outputs for all that is known, which a cast can hide
/// from the verifier. Whatever is lowered does not run, for a check fails.
static bool isKnownToBeRefused(WindowKernel &kernel) {
  return llvm::any_of(llvm::drop_begin(kernel.getOutputShape()),
                      [](OpFoldResult extent) {
                        std::optional<int64_t> known =
                            getConstantIntValue(extent);
                        return known && *known <= 0;
                      });
}

static LogicalResult createKernel(WindowKernel &kernel) {
  if (isKnownToBeRefused(kernel))
    return failure();
  for (const SymbolicDim &dim : kernel.getDims())
    if (dim.kernel > (int64_t(1) << 30) || dim.stride > kMaxStep ||
        dim.dilation > kMaxStep)
      return failure();
  if (kernel.reduction.hasWideSums())
    return createTapLoops(kernel);
  FailureOr<Value> isWholePlane = getIsWholePlane(kernel);
  if (failed(isWholePlane))
    return createLoops(kernel);
  if (!*isWholePlane) {
    createWholePlanes(kernel);
    return success();
  }
  RewriterBase &b = kernel.b;
  auto branch = scf::IfOp::create(b, kernel.getLoc(), *isWholePlane,
                                  /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  createWholePlanes(kernel);
  b.setInsertionPointToStart(branch.elseBlock());
  return createLoops(kernel);
}

namespace {
/// Erases what was built since, unless it is kept.
class Attempt {
public:
  explicit Attempt(RewriterBase &rewriter)
      : rewriter(rewriter), block(rewriter.getInsertionBlock()),
        end(rewriter.getInsertionPoint()),
        before(end == block->begin() ? nullptr : &*std::prev(end)) {}

  LogicalResult keepIf(LogicalResult succeeded) {
    if (succeeded.succeeded())
      return success();
    Block::iterator it = end;
    while (it != block->begin() && &*std::prev(it) != before)
      rewriter.eraseOp(&*std::prev(it));
    return failure();
  }

private:
  RewriterBase &rewriter;
  Block *block;
  Block::iterator end;
  Operation *before;
};
} // namespace

static LogicalResult lowerOnBuffers(RewriterBase &rewriter, WindowReduceOp op,
                                    const LaneReduction &reduction) {
  rewriter.setInsertionPoint(op);
  Attempt attempt(rewriter);
  WindowKernel kernel{rewriter, op, op.getInput(), {}, {}, reduction};
  for (Value out : op.getOuts()) {
    kernel.chains.emplace_back(out);
    kernel.buffers.push_back(out);
  }
  if (failed(attempt.keepIf(createKernel(kernel))))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

static LogicalResult lowerOnTensors(RewriterBase &rewriter, WindowReduceOp op,
                                    const LaneReduction &reduction,
                                    const DenseSet<Operation *> &counting) {
  Location loc = op.getLoc();
  FusedResults fused(op.getResults(), counting);
  rewriter.setInsertionPointAfter(fused.getLastOp());
  Attempt attempt(rewriter);
  Value input = getBuffer(rewriter, loc, op.getInput());
  fused.allocate(rewriter, loc,
                 tensor::getMixedSizes(rewriter, loc, op.getOuts()[0]));
  WindowKernel kernel{rewriter,      op,       input, fused.chains,
                      fused.buffers, reduction};
  if (failed(attempt.keepIf(createKernel(kernel))))
    return failure();
  fused.replace(rewriter, loc);
  rewriter.eraseOp(op);
  return success();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kNoVectors =
    "its elements or their sums have no vectors";

namespace {
struct ConvertPoolToVectorPass
    : pool::impl::ConvertPoolToVectorBase<ConvertPoolToVectorPass> {
  using ConvertPoolToVectorBase::ConvertPoolToVectorBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet indices(context), windows(context);
    populateRecomputeIndicesPatterns(indices);
    populateRegularAdaptivePatterns(windows);
    recomputeIndices = std::move(indices);
    toWindowOps = std::move(windows);
    return success();
  }

  void runOnOperation() override;

private:
  void vectorizeChecks(RewriterBase &rewriter);
  /// What is made of an operation beside its own loops is no operation of the
  /// statistic; such parts are added to `helpers`.
  void createIndices(DenseSet<Operation *> &helpers);
  void lowerScatterOps(RewriterBase &rewriter, DenseSet<Operation *> &helpers);
  void lowerAdaptiveOps(RewriterBase &rewriter);
  /// Success where there are loops now.
  LogicalResult lower(RewriterBase &rewriter, WindowReduceOp op,
                      const DenseSet<Operation *> &counting);

  FrozenRewritePatternSet recomputeIndices, toWindowOps;
};
} // namespace

LogicalResult
ConvertPoolToVectorPass::lower(RewriterBase &rewriter, WindowReduceOp op,
                               const DenseSet<Operation *> &counting) {
  FailureOr<LaneReduction> reduction = LaneReduction::get(op, vectorBits);
  if (failed(reduction)) {
    remarkLeftAlone(getArgument(), op, kNoVectors);
    return failure();
  }
  bool onTensors = op.hasPureTensorSemantics();
  if (!onTensors && !op.hasPureBufferSemantics())
    return failure();
  LogicalResult result =
      onTensors ? lowerOnTensors(rewriter, op, *reduction, counting)
                : lowerOnBuffers(rewriter, op, *reduction);
  if (failed(result))
    result = gatherSums(rewriter, op, vectorBits);
  if (failed(result))
    remarkLeftAlone(getArgument(), op, "no kernel is for its windows");
  return result;
}

void ConvertPoolToVectorPass::vectorizeChecks(RewriterBase &rewriter) {
  SetVector<Value> indices;
  getOperation()->walk([&](Operation *op) {
    if (auto unpool = dyn_cast<MaxUnpoolOp>(op))
      indices.insert(unpool.getIndices());
    else if (auto grad = dyn_cast<ExtremumGradOpInterface>(op);
             grad && grad.getIndices())
      indices.insert(grad.getIndices());
  });
  for (Value tensor : indices)
    vectorizeIndexChecks(rewriter, tensor, vectorBits);
}

void ConvertPoolToVectorPass::createIndices(DenseSet<Operation *> &helpers) {
  DenseSet<Operation *> given;
  getOperation()->walk([&](ExtremumOpInterface op) { given.insert(op); });
  walkAndApplyPatterns(getOperation(), recomputeIndices);
  getOperation()->walk([&](ExtremumOpInterface op) {
    if (!given.contains(op))
      helpers.insert(op);
  });
}

void ConvertPoolToVectorPass::lowerScatterOps(RewriterBase &rewriter,
                                              DenseSet<Operation *> &helpers) {
  SmallVector<Operation *> ops;
  getOperation()->walk([&](Operation *op) {
    if (isa<MaxUnpoolOp, ExtremumGradOpInterface, AvgPoolGradOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto average = dyn_cast<AvgPoolGradOp>(op)) {
      FailureOr<SmallVector<Operation *>> sums =
          gatherAvgPoolGrad(rewriter, average, vectorBits);
      if (failed(sums)) {
        remarkLeftAlone(getArgument(), op,
                        "its dilations modulo its strides leave 64 bits");
        continue;
      }
      helpers.insert(sums->begin(), sums->end());
    } else if (auto extremum = dyn_cast<ExtremumGradOpInterface>(op)) {
      scatterExtremumGrad(rewriter, extremum, vectorBits);
    } else if (failed(scatterMaxUnpool(rewriter, cast<MaxUnpoolOp>(op),
                                       vectorBits))) {
      remarkLeftAlone(getArgument(), op, kNoVectors);
      continue;
    }
    ++numLowered;
  }
}

void ConvertPoolToVectorPass::lowerAdaptiveOps(RewriterBase &rewriter) {
  SmallVector<Operation *> ops;
  getOperation()->walk([&](Operation *op) {
    if (isa<AdaptiveOpInterface>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    if (auto average = dyn_cast<AdaptiveAvgPoolOp>(op))
      lowerAdaptiveAvgPool(rewriter, average, vectorBits);
    else
      lowerAdaptiveMaxPool(rewriter, cast<AdaptiveMaxPoolOp>(op), vectorBits);
    ++numLowered;
  }
}

void ConvertPoolToVectorPass::runOnOperation() {
  // All is checked before the first edit.
  if (vectorBits < 64 || !llvm::isPowerOf2_64(vectorBits)) {
    emitError(getOperation()->getLoc())
        << "vector-bits must be a power of two of at least 64, but is "
        << vectorBits.getValue();
    return signalPassFailure();
  }
  if (failed(verifyLowerable(getOperation())))
    return signalPassFailure();
  IRRewriter rewriter(&getContext());
  if (runtimeChecks) {
    insertRuntimeChecks(getOperation());
    vectorizeChecks(rewriter);
  }
  DenseSet<Operation *> helpers;
  createIndices(helpers);
  walkAndApplyPatterns(getOperation(), toWindowOps);
  lowerScatterOps(rewriter, helpers);
  lowerAdaptiveOps(rewriter);
  DenseSet<Operation *> counting;
  SmallVector<WindowOpInterface> windowOps;
  getOperation()->walk([&](WindowOpInterface op) { windowOps.push_back(op); });
  for (WindowOpInterface op : windowOps) {
    rewriter.setInsertionPoint(op);
    bool isAverage = isa<AvgPoolOp>(op), isHelper = helpers.erase(op);
    for (Operation *part : decomposeWindowOp(rewriter, op)) {
      if (isAverage && isa<linalg::GenericOp>(part))
        counting.insert(part);
      if (isHelper)
        helpers.insert(part);
    }
  }
  SmallVector<WindowReduceOp> reductions;
  getOperation()->walk([&](WindowReduceOp op) { reductions.push_back(op); });
  for (WindowReduceOp op : reductions) {
    bool isHelper = helpers.contains(op);
    if (succeeded(lower(rewriter, op, counting)) && !isHelper)
      ++numLowered;
  }
}
