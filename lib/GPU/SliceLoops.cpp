// A scatter stores where an index says, so its loops are serial. But in the
// dimensions before the index's axis it stores at its own position, so that its
// slices are independent.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MapToGPU.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns the loops of the nest from `loop` inwards: each body has one loop
/// and otherwise only operations without effects.
static SmallVector<scf::ForOp> getNest(scf::ForOp loop) {
  SmallVector<scf::ForOp> nest;
  while (loop && loop.getNumResults() == 0) {
    nest.push_back(loop);
    scf::ForOp next;
    for (Operation &op : loop.getBody()->without_terminator()) {
      auto inner = dyn_cast<scf::ForOp>(op);
      if (inner ? next != nullptr : !isMemoryEffectFree(&op))
        return nest;
      if (inner)
        next = inner;
    }
    loop = next;
  }
  return nest;
}

/// Collects the indices of each access of each buffer in `loop`, and the
/// buffers that it stores to. Returns false if something else has effects, or
/// if a buffer that it stores to might be a view of another.
static bool
collectAccesses(scf::ForOp loop,
                DenseMap<Value, SmallVector<OperandRange>> &accesses,
                SetVector<Value> &stored) {
  WalkResult result = loop->walk([&](Operation *op) {
    if (auto load = dyn_cast<memref::LoadOp>(op))
      accesses[load.getMemRef()].push_back(load.getIndices());
    else if (auto store = dyn_cast<memref::StoreOp>(op)) {
      accesses[store.getMemRef()].push_back(store.getIndices());
      stored.insert(store.getMemRef());
    } else if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
               !isMemoryEffectFree(op))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  // Allocations and the function's arguments do not overlap. Other buffers may.
  return !result.wasInterrupted() && llvm::all_of(accesses, [](auto &entry) {
    if (auto argument = dyn_cast<BlockArgument>(entry.first))
      return argument.getOwner()->isEntryBlock() &&
             isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
    return entry.first.template getDefiningOp<memref::AllocOp>() != nullptr;
  });
}

/// True if every access of each stored buffer has `iv` as index of one and the
/// same dimension.
static bool
isSlice(Value iv, ArrayRef<Value> stored,
        const DenseMap<Value, SmallVector<OperandRange>> &accesses) {
  return llvm::all_of(stored, [&](Value buffer) {
    int64_t rank = cast<MemRefType>(buffer.getType()).getRank();
    return llvm::any_of(llvm::seq<int64_t>(0, rank), [&](int64_t dim) {
      return llvm::all_of(accesses.at(buffer), [&](OperandRange indices) {
        return indices[dim] == iv;
      });
    });
  });
}

LogicalResult pool::parallelizeSlices(RewriterBase &rewriter, scf::ForOp loop) {
  SmallVector<scf::ForOp> slices;
  DenseMap<Value, SmallVector<OperandRange>> accesses;
  SetVector<Value> stored;
  if (collectAccesses(loop, accesses, stored))
    for (scf::ForOp level : getNest(loop))
      if (isSlice(level.getInductionVar(), stored.getArrayRef(), accesses) &&
          llvm::all_of(level->getOperands(), [&](Value bound) {
            return loop.isDefinedOutsideOfLoop(bound);
          }))
        slices.push_back(level);
  if (slices.empty())
    return failure();

  Location loc = loop.getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> lower, upper, steps;
  for (scf::ForOp slice : slices) {
    lower.push_back(slice.getLowerBound());
    upper.push_back(slice.getUpperBound());
    steps.push_back(slice.getStep());
  }
  auto parallel = scf::ParallelOp::create(rewriter, loc, lower, upper, steps);
  rewriter.moveOpBefore(loop, parallel.getBody()->getTerminator());
  for (auto [slice, iv] : llvm::zip(slices, parallel.getInductionVars())) {
    rewriter.eraseOp(slice.getBody()->getTerminator());
    rewriter.inlineBlockBefore(slice.getBody(), slice, iv);
    rewriter.eraseOp(slice);
  }
  return success();
}
