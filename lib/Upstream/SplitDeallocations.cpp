// Simplifies deallocations. A buffer that cannot alias others gets its own
// deallocation. For all other buffers, upstream's simplification runs, after
// everything that folds was folded: its analysis would read freed values if an
// operation folded during it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Upstream/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::pool {
#define GEN_PASS_DEF_SPLITDEALLOCATIONS
#include "pool/Upstream/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;

/// True if the lowering of `op` would compare buffers at run time.
static bool isCompared(bufferization::DeallocOp op) {
  return op.getMemrefs().size() + op.getRetained().size() > 1 &&
         !op.getMemrefs().empty();
}

namespace {
struct SplitDeallocations
    : pool::impl::SplitDeallocationsBase<SplitDeallocations> {
  void runOnOperation() override {
    getOperation()->walk([&](bufferization::DeallocOp op) { split(op); });
    // Usually, no buffers are left to compare. Then stop here: folding and
    // upstream's pass would visit the whole function for nothing.
    WalkResult walk = getOperation()->walk([](bufferization::DeallocOp op) {
      return WalkResult(failure(isCompared(op)));
    });
    if (walk.wasInterrupted() && failed(compare()))
      signalPassFailure();
  }

private:
  void split(bufferization::DeallocOp op);
  LogicalResult compare();
};
} // namespace

/// Upstream's passes deallocate the base buffer that
/// memref.extract_strided_metadata returns. If `memref` is such a base buffer,
/// returns the operand of that operation; otherwise returns `memref`.
static Value getBuffer(Value memref) {
  auto metadata = memref.getDefiningOp<memref::ExtractStridedMetadataOp>();
  return metadata && memref == metadata.getBaseBuffer() ? metadata.getSource()
                                                        : memref;
}

static bool isAllocated(Value buffer) {
  return buffer.getDefiningOp<memref::AllocOp>() != nullptr;
}

/// True if `buffer` is the result of a `memref.alloc` or an argument of its
/// function. Such a buffer shares no memory with the result of another
/// `memref.alloc` in the function.
static bool isKnown(Value buffer) {
  if (isAllocated(buffer))
    return true;
  auto argument = dyn_cast<BlockArgument>(buffer);
  return argument && argument.getOwner()->isEntryBlock() &&
         isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

void SplitDeallocations::split(bufferization::DeallocOp op) {
  auto buffers = llvm::map_to_vector(op.getMemrefs(), getBuffer);
  if (!isCompared(op) || !llvm::all_of(buffers, isKnown) ||
      !llvm::all_of(op.getRetained(), isKnown))
    return;
  DenseSet<Value> retained(op.getRetained().begin(), op.getRetained().end());
  DenseMap<Value, unsigned> uses;
  for (Value buffer : buffers)
    ++uses[buffer];

  OpBuilder b(op);
  SmallVector<Value> memrefs, conditions;
  for (auto [memref, condition] :
       llvm::zip_equal(buffers, op.getConditions())) {
    // If the condition is false, this function does not free the buffer.
    if (matchPattern(condition, m_Zero()))
      continue;
    // Keep a buffer that occurs twice, because it must be freed only once,
    // whichever of its conditions is true.
    if (isAllocated(memref) && !retained.contains(memref) &&
        uses[memref] == 1) {
      bufferization::DeallocOp::create(b, op.getLoc(), memref, condition,
                                       ValueRange());
      ++numSplit;
      continue;
    }
    memrefs.push_back(memref);
    conditions.push_back(condition);
  }
  op.getMemrefsMutable().assign(memrefs);
  op.getConditionsMutable().assign(conditions);
  if (!llvm::all_of(memrefs, [&](Value memref) {
        return isAllocated(memref) && uses[memref] == 1;
      }))
    return;
  // All remaining buffers are retained, so `op` frees nothing. Its results say
  // which retained buffers are owned: the result is the condition of the
  // buffer, or false if the buffer is not among `memrefs`.
  for (auto [buffer, owned] :
       llvm::zip_equal(op.getRetained(), op.getUpdatedConditions())) {
    auto *it = llvm::find(memrefs, buffer);
    owned.replaceAllUsesWith(
        it == memrefs.end()
            ? arith::ConstantIntOp::create(b, op.getLoc(), 0, 1).getResult()
            : conditions[it - memrefs.begin()]);
  }
  op.erase();
}

/// Runs upstream's simplification, after folding until nothing changes. If an
/// operation folded during upstream's analysis, the analysis would read values
/// that were already freed (docs/Internals/upstream/bufferization.md).
LogicalResult SplitDeallocations::compare() {
  GreedyRewriteConfig config;
  config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
  if (failed(applyPatternsGreedily(getOperation(), FrozenRewritePatternSet(),
                                   config)))
    return failure();
  OpPassManager simplification(getOperation()->getName());
  simplification.addPass(
      bufferization::createBufferDeallocationSimplificationPass());
  return runPipeline(simplification, getOperation());
}
