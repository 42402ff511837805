// The results of a reduction on tensors, with what follows them, as buffers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sink/FusedResults.h"

#include "Emit/Buffers.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

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

/// Erases stores to `buffer` if there is nothing else that uses it.
static void eraseUnreadStores(RewriterBase &rewriter, Value buffer) {
  if (!llvm::all_of(buffer.getUsers(),
                    llvm::IsaPred<memref::StoreOp, vector::StoreOp,
                                  vector::MaskedStoreOp>))
    return;
  for (Operation *store : llvm::make_early_inc_range(buffer.getUsers()))
    rewriter.eraseOp(store);
}

void FusedResults::replace(RewriterBase &rewriter, Location loc, Value input,
                           ValueRange outs, bool needPackedOutputs,
                           function_ref<void(Value input)> emitLoops) {
  llvm::SetVector<Value> inputs;
  inputs.insert(input);
  SmallVector<Value> inits, results;
  for (auto [chain, out] : llvm::zip_equal(chains, outs)) {
    inputs.insert_range(chain.getOperands());
    SmallVector<linalg::LinalgOp> ops(chain.getOps());
    inits.push_back(ops.empty() ? out : ops.back().getDpsInits()[0]);
    results.push_back(chain.getResult());
  }
  rewriter.setInsertionPointAfter(last);
  auto code = createOnBuffers(
      rewriter, loc, inputs.getArrayRef(), inits, results, needPackedOutputs,
      [&](ValueRange inputBuffers, ValueRange outputBuffers) {
        for (ElementwiseChain &chain : chains)
          for (auto [tensor, buffer] : llvm::zip_equal(inputs, inputBuffers))
            chain.setBuffer(tensor, buffer);
        buffers = llvm::to_vector(outputBuffers);
        emitLoops(inputBuffers[0]);
      });
  bool isUsed =
      llvm::any_of(results, [](Value result) { return !result.use_empty(); });
  for (auto [result, buffer, tensor] :
       llvm::zip_equal(results, buffers, code.getResults())) {
    // Such are the values beside indices that are recomputed for a gradient.
    if (isUsed && result.use_empty())
      eraseUnreadStores(rewriter, buffer);
    rewriter.replaceAllUsesWith(result, tensor);
  }
  for (ElementwiseChain &chain : chains)
    for (linalg::LinalgOp fused : llvm::reverse(chain.getOps()))
      rewriter.eraseOp(fused);
}
