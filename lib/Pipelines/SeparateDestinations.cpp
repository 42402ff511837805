// Gives each operation its own destination again, after common subexpression
// elimination has merged destinations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::pool {
#define GEN_PASS_DEF_SEPARATEDESTINATIONS
#include "pool/Pipelines/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

namespace {
struct SeparateDestinations
    : pool::impl::SeparateDestinationsBase<SeparateDestinations> {
  void runOnOperation() override {
    homes.clear();
    taken.clear();
    SmallVector<DestinationStyleOpInterface> ops;
    getOperation()->walk([&](DestinationStyleOpInterface op) {
      if (isa<linalg::LinalgOp, WindowReduceOp, OnBuffersOp>(*op) &&
          op.hasPureTensorSemantics() && !isa<linalg::FillOp>(*op))
        ops.push_back(op);
    });
    for (DestinationStyleOpInterface op : ops) {
      for (OpOperand &init : op.getDpsInitsMutable())
        separate(op, init);
      // An input that is an empty tensor only gives the shape of a window.
      for (OpOperand *input : op.getDpsInputOperands())
        if (auto shared = input->get().getDefiningOp<tensor::EmptyOp>())
          input->set(getEmpty(op, shared));
    }
  }

private:
  /// The empty tensor that a result is written to: the result of `shared`, or
  /// of a copy of `shared`.
  struct Home {
    Value empty;
    Operation *shared;
  };

  void separate(DestinationStyleOpInterface op, OpOperand &init);
  Value getEmpty(Operation *user, tensor::EmptyOp shared);

  DenseMap<Value, Home> homes;
  /// Empty tensors and fills that already have a user. Each further user gets a
  /// copy.
  DenseSet<Operation *> taken;
};
} // namespace

/// Returns `shared` if `user` is its first user. Otherwise returns a new copy
/// of `shared` before `user`.
Value SeparateDestinations::getEmpty(Operation *user, tensor::EmptyOp shared) {
  if (taken.insert(shared).second)
    return shared;
  OpBuilder b(user);
  ++numCopied;
  return b.clone(*shared)->getResult(0);
}

void SeparateDestinations::separate(DestinationStyleOpInterface op,
                                    OpOperand &init) {
  Value result = op.getTiedOpResult(&init);
  if (auto fill = init.get().getDefiningOp<linalg::FillOp>()) {
    auto shared = fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>();
    if (!shared)
      return;
    Value empty;
    if (taken.insert(fill).second) {
      empty = getEmpty(fill, shared);
      fill.getOutputsMutable()[0].set(empty);
    } else {
      empty = getEmpty(op, shared);
      OpBuilder b(op);
      IRMapping mapping;
      mapping.map(fill.getOutputs()[0], empty);
      init.set(b.clone(*fill, mapping)->getResult(0));
    }
    homes[result] = {empty, shared};
    return;
  }
  auto shared = init.get().getDefiningOp<tensor::EmptyOp>();
  if (!shared)
    return;
  // An elementwise operation may overwrite an input in place. If an input and
  // the result had the same empty tensor, they keep a common one.
  SmallVector<Value> inputs;
  if (isa<linalg::LinalgOp>(*op))
    inputs = op.getDpsInputs();
  for (Value input : inputs) {
    auto home = homes.find(input);
    if (home == homes.end() || home->second.shared != shared)
      continue;
    Home same = home->second;
    init.set(same.empty);
    homes[result] = same;
    return;
  }
  Value empty = getEmpty(op, shared);
  init.set(empty);
  homes[result] = {empty, shared};
}
