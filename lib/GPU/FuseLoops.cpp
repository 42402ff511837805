// Upstream fuses parallel loops, and looks only at loads after stores. This
// file adds what else must stay in order, and removes the buffers between fused
// loops.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FuseLoops.h"

#include "mlir/Analysis/AliasAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns the dimensions of `loop` by which `indices` are given, or nothing if
/// an index is another value.
static std::optional<SmallVector<unsigned>> getLoopDims(scf::ParallelOp loop,
                                                        OperandRange indices) {
  SmallVector<unsigned> dims;
  for (Value index : indices) {
    auto iv = dyn_cast<BlockArgument>(index);
    if (!iv || iv.getOwner() != loop.getBody())
      return std::nullopt;
    dims.push_back(iv.getArgNumber());
  }
  return dims;
}

/// True if upstream's fusion of neighbouring loops keeps the order of effects.
/// It looks at loads after stores only. So all accesses must be loads and
/// stores, and loops that store to the same memory must store to the same
/// element in the same iteration.
static bool mayFuse(Region &region, AliasAnalysis &aliases) {
  struct Store {
    scf::ParallelOp loop;
    Value buffer;
    std::optional<SmallVector<unsigned>> dims;
  };
  SmallVector<Store> stores;
  for (auto loop : region.getOps<scf::ParallelOp>()) {
    WalkResult result = loop.getBody()->walk([&](Operation *op) {
      if (auto store = dyn_cast<memref::StoreOp>(op))
        stores.push_back(
            {loop, store.getMemRef(), getLoopDims(loop, store.getIndices())});
      else if (!isa<memref::LoadOp>(op) &&
               !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
               !isMemoryEffectFree(op))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return false;
  }
  for (const Store &a : stores)
    for (const Store &b : stores)
      if (a.loop != b.loop && !aliases.alias(a.buffer, b.buffer).isNo() &&
          (a.buffer != b.buffer || !a.dims || a.dims != b.dims))
        return false;
  return true;
}

/// Replaces loads of `block` by the value that a store in `block` wrote to the
/// same element before.
static void forwardStores(Block &block) {
  SmallVector<memref::StoreOp> stores;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      // Only the results of allocations are known not to be views of others.
      auto isAllocated = [](Value buffer) {
        return buffer.getDefiningOp<memref::AllocOp>() != nullptr;
      };
      llvm::erase_if(stores, [&](memref::StoreOp other) {
        return other.getMemRef() == store.getMemRef() ||
               !isAllocated(other.getMemRef()) ||
               !isAllocated(store.getMemRef());
      });
      stores.push_back(store);
    } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
      for (memref::StoreOp store : stores)
        if (store.getMemRef() == load.getMemRef() &&
            store.getIndices() == load.getIndices()) {
          load.replaceAllUsesWith(store.getValueToStore());
          load.erase();
          break;
        }
    } else if (!isMemoryEffectFree(&op)) {
      stores.clear();
    }
  }
}

/// Erases allocations that are only stored to. Returns their number.
static unsigned eraseUnreadBuffers(Region &region) {
  SmallVector<memref::AllocOp> unread;
  region.walk([&](memref::AllocOp alloc) {
    if (llvm::all_of(alloc->getUsers(), [&](Operation *user) {
          auto store = dyn_cast<memref::StoreOp>(user);
          return isa<memref::DeallocOp>(user) ||
                 (store && store.getMemRef() == alloc.getResult());
        }))
      unread.push_back(alloc);
  });
  for (memref::AllocOp alloc : unread) {
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
      user->erase();
    alloc->erase();
  }
  return unread.size();
}

unsigned pool::fuseLoops(Region &region, AliasAnalysis &aliases) {
  if (mayFuse(region, aliases))
    scf::naivelyFuseParallelOps(
        region, [&](Value a, Value b) { return !aliases.alias(a, b).isNo(); });
  region.walk<WalkOrder::PreOrder>([](scf::ParallelOp loop) {
    forwardStores(*loop.getBody());
    return WalkResult::skip();
  });
  return eraseUnreadBuffers(region);
}
