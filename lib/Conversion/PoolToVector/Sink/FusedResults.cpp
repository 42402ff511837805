// The results of a reduction on tensors, with what follows them, as buffers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sink/FusedResults.h"

#include "Emit/Buffers.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::pool;

/// Ends both chains before an operation that reads a result of each, which
/// neither has when it gets there.
static void separate(ElementwiseChain &a, ElementwiseChain &b) {
  for (linalg::LinalgOp op : a.getOps()) {
    if (!llvm::is_contained(b.getOps(), op))
      continue;
    b.cutBefore(op);
    return a.cutBefore(op);
  }
}

/// Ends chains so that all of them can be produced at once, where the last op
/// of them is: nothing may use what another chain produces before.
static Operation *align(MutableArrayRef<ElementwiseChain> chains) {
  while (true) {
    Operation *last = chains[0].getLastOp();
    for (ElementwiseChain &chain : chains)
      if (last->isBeforeInBlock(chain.getLastOp()))
        last = chain.getLastOp();
    auto isUsedBefore = [&](ElementwiseChain &chain) {
      return llvm::any_of(chain.getResult().getUsers(), [&](Operation *user) {
        Operation *here = last->getBlock()->findAncestorOpInBlock(*user);
        return here && !last->isBeforeInBlock(here);
      });
    };
    if (llvm::none_of(chains, isUsedBefore))
      return last;
    for (ElementwiseChain &chain : chains)
      if (chain.getLastOp() == last)
        chain.cutBefore(last);
  }
}

FusedResults::FusedResults(ValueRange results) {
  for (Value result : results)
    chains.emplace_back(result);
  for (size_t i = 0; i < chains.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      separate(chains[i], chains[j]);
  last = align(chains);
}

void FusedResults::allocate(RewriterBase &rewriter, Location loc,
                            ArrayRef<OpFoldResult> shape) {
  SmallVector<int64_t> staticShape;
  SmallVector<Value> extents;
  dispatchIndexOpFoldResults(shape, extents, staticShape);
  for (ElementwiseChain &chain : chains) {
    for (Value operand : chain.getOperands())
      chain.setBuffer(operand, getBuffer(rewriter, loc, operand));
    Type elementType = getElementTypeOrSelf(chain.getResult().getType());
    buffers.push_back(memref::AllocOp::create(
        rewriter, loc, MemRefType::get(staticShape, elementType), extents));
  }
}

/// Erases `buffer` if it is but stored to.
static void eraseUnread(RewriterBase &rewriter, Value buffer) {
  if (!llvm::all_of(buffer.getUsers(),
                    llvm::IsaPred<memref::StoreOp, vector::StoreOp,
                                  vector::MaskedStoreOp>))
    return;
  for (Operation *store : llvm::make_early_inc_range(buffer.getUsers()))
    rewriter.eraseOp(store);
  rewriter.eraseOp(buffer.getDefiningOp());
}

void FusedResults::replace(RewriterBase &rewriter, Location loc) {
  bool isUsed = llvm::any_of(chains, [](const ElementwiseChain &chain) {
    return !chain.getResult().use_empty();
  });
  for (auto [chain, buffer] : llvm::zip_equal(chains, buffers)) {
    Value value = chain.getResult();
    // Such are the values beside indices that are recomputed for a gradient.
    if (isUsed && value.use_empty()) {
      eraseUnread(rewriter, buffer);
      continue;
    }
    // Later kernels read `buffer` itself, once the two casts are folded. So
    // what overwrites the tensor has to copy it.
    rewriter.replaceAllUsesWith(
        value, bufferization::ToTensorOp::create(rewriter, loc, value.getType(),
                                                 buffer, /*restrict=*/true,
                                                 /*writable=*/false));
  }
  for (ElementwiseChain &chain : chains)
    for (linalg::LinalgOp fused : llvm::reverse(chain.getOps()))
      rewriter.eraseOp(fused);
}
