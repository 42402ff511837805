// The pass that lowers what StableHLO has around pooling.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Hlo.h"
#include "../Raising.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Conversion/Passes.h"

namespace mlir::pool {
#define GEN_PASS_DEF_CONVERTSTABLEHLOTOLINALG
#include "pool/Conversion/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

static constexpr llvm::StringLiteral kPass = "convert-stablehlo-to-linalg";

namespace {
struct ConvertStablehloToLinalgPass
    : pool::impl::ConvertStablehloToLinalgBase<ConvertStablehloToLinalgPass> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    auto isOurs = [](Operation *op) {
      return !hlo::getName(op).empty() ||
             op->getName().getDialectNamespace() == "chlo";
    };
    getOperation()->walk([&](Operation *op) {
      // Regions of other operations of StableHLO are theirs.
      if (isOurs(op) && !(op->getParentOp() && isOurs(op->getParentOp())))
        ops.push_back(op);
    });
    // What nobody used before is lowered all the same.
    llvm::SmallDenseSet<Operation *> unused;
    for (Operation *op : ops)
      if (op->use_empty())
        unused.insert(op);
    DeadProducers dead;
    IRRewriter rewriter(&getContext(), &dead);
    SmallVector<std::pair<Operation *, std::string>> left;
    // Users first: they see the constants and extents that they are made of.
    for (Operation *op : llvm::reverse(ops)) {
      if (op->use_empty() && !unused.contains(op) && hlo::isPure(op)) {
        rewriter.eraseOp(op);
        continue;
      }
      std::string reason;
      LogicalResult lowered = isMovement(hlo::getName(op))
                                  ? lowerMovement(op, rewriter, reason)
                                  : lowerElementwise(op, rewriter, reason);
      if (succeeded(lowered))
        ++numLowered;
      else
        left.emplace_back(op, reason);
    }
    for (auto &[op, reason] : llvm::reverse(left))
      remarkLeftAlone(kPass, op, reason);
    dead.erase();
  }
};
} // namespace
