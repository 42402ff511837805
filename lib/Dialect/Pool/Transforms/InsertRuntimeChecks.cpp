// Inserts run-time checks of the constraints that the verifier could not check,
// because an extent or an index is known only at run time.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/Promises.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLINSERTRUNTIMECHECKS
#include "pool/Dialect/Pool/Transforms/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

namespace {
struct PoolInsertRuntimeChecksPass
    : pool::impl::PoolInsertRuntimeChecksBase<PoolInsertRuntimeChecksPass> {
  void runOnOperation() override {
    FailureOr<int64_t> count = insertRuntimeChecks(getOperation());
    if (failed(count))
      return signalPassFailure();
    numChecked += *count;
  }
};
} // namespace

FailureOr<int64_t> pool::insertRuntimeChecks(Operation *root) {
  SmallVector<RuntimeVerifiableOpInterface> ops;
  WalkResult result = root->walk([&](Operation *op) {
    if (!isa_and_present<PoolDialect>(op->getDialect()))
      return WalkResult::advance();
    if (failed(requireModel<RuntimeVerifiableOpInterface>(op)))
      return WalkResult::interrupt();
    if (auto verifiable = dyn_cast<RuntimeVerifiableOpInterface>(op))
      ops.push_back(verifiable);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  OpBuilder b(root->getContext());
  for (RuntimeVerifiableOpInterface op : ops) {
    b.setInsertionPoint(op);
    op.generateRuntimeVerification(
        b, op.getLoc(), [](Operation *op, StringRef message) {
          std::string text;
          llvm::raw_string_ostream os(text);
          os << op->getName() << " at " << op->getLoc() << ": " << message;
          return text;
        });
  }
  return static_cast<int64_t>(ops.size());
}
