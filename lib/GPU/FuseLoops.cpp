// Fuses parallel loops by upstream's function, and removes buffers between
// fused loops. Upstream's function checks only loads that follow stores. This
// file checks what else must stay in order.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MapToGPU.h"

#include "mlir/Analysis/AliasAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace mlir::pool;

/// The element that an iteration of a loop stores to. For each index of the
/// element there is a pair: true and a dimension of the loop, or false and a
/// constant.
using Element = SmallVector<std::pair<bool, int64_t>>;

/// Returns the element that `indices` names in an iteration of `loop`. Returns
/// none if an index is neither an induction variable of `loop` nor a constant,
/// or if two iterations may name the same element.
static std::optional<Element> getElement(scf::ParallelOp loop,
                                         OperandRange indices) {
  Element element;
  llvm::SmallBitVector dims(loop.getNumLoops());
  for (Value index : indices) {
    auto iv = dyn_cast<BlockArgument>(index);
    if (iv && iv.getOwner() == loop.getBody()) {
      element.emplace_back(true, iv.getArgNumber());
      dims.set(iv.getArgNumber());
    } else if (std::optional<int64_t> constant = getConstantIntValue(index)) {
      element.emplace_back(false, *constant);
    } else {
      return std::nullopt;
    }
  }
  return dims.all() ? std::optional(element) : std::nullopt;
}

/// True if upstream's fusion of neighboring loops in `region` keeps the order
/// of effects. Upstream's fusion checks only loads that follow stores. So all
/// accesses must be loads and stores, and loops that store to the same memory
/// must store to the same element in the same iteration.
static bool mayFuse(Region &region, AliasAnalysis &aliases) {
  struct Store {
    scf::ParallelOp loop;
    Value buffer;
    std::optional<Element> element;
  };
  SmallVector<Store> stores;
  for (auto loop : region.getOps<scf::ParallelOp>()) {
    WalkResult result = loop.getBody()->walk([&](Operation *op) {
      if (auto store = dyn_cast<memref::StoreOp>(op))
        stores.push_back(
            {loop, store.getMemRef(), getElement(loop, store.getIndices())});
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
          (a.buffer != b.buffer || !a.element || a.element != b.element))
        return false;
  return true;
}

/// True if `op` and the operations nested in it have no memory effects other
/// than reads.
static bool onlyReads(Operation &op) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(&op);
  return effects && llvm::all_of(*effects, [](auto &effect) {
           return isa<MemoryEffects::Read>(effect.getEffect());
         });
}

/// Replaces a load in `block` by the value that an earlier store in `block`
/// wrote to the same element.
static void forwardStores(Block &block) {
  SmallVector<memref::StoreOp> stores;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      // Forget earlier stores that this store may overwrite: those to the same
      // buffer, and those to buffers that may share its memory. Only results of
      // different allocations are known not to share memory.
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
    } else if (!onlyReads(op)) {
      stores.clear();
    }
  }
}

/// Erases allocations that are stored to but never read. Returns their number.
static unsigned eraseUnreadBuffers(Region &region) {
  SmallVector<Operation *> unread;
  region.walk([&](Operation *alloc) {
    if (isa<memref::AllocOp, memref::AllocaOp>(alloc) &&
        llvm::all_of(alloc->getUsers(), [&](Operation *user) {
          auto store = dyn_cast<memref::StoreOp>(user);
          return isa<memref::DeallocOp>(user) ||
                 (store && store.getMemRef() == alloc->getResult(0));
        }))
      unread.push_back(alloc);
  });
  for (Operation *alloc : unread) {
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
      user->erase();
    alloc->erase();
  }
  return unread.size();
}

/// True if `buffer` is a constant global, to which nothing stores.
static bool isConstant(Value buffer) {
  auto get = buffer.getDefiningOp<memref::GetGlobalOp>();
  auto global = get ? SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
                          get, get.getNameAttr())
                    : memref::GlobalOp();
  return global && global.getConstant();
}

unsigned pool::fuseLoops(Region &region, AliasAnalysis &aliases) {
  if (mayFuse(region, aliases))
    scf::naivelyFuseParallelOps(region, [&](Value a, Value b) {
      return !isConstant(a) && !isConstant(b) && !aliases.alias(a, b).isNo();
    });
  region.walk<WalkOrder::PreOrder>([](scf::ParallelOp loop) {
    forwardStores(*loop.getBody());
    return WalkResult::skip();
  });
  return eraseUnreadBuffers(region);
}
