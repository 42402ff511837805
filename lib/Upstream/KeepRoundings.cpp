// Prevents folds from removing the roundings of emulated small floats.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Upstream/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::pool {
#define GEN_PASS_DEF_KEEPROUNDINGS
#include "pool/Upstream/Passes.h.inc"

namespace {

struct KeepRoundings : impl::KeepRoundingsBase<KeepRoundings> {
  void runOnOperation() override {
    getOperation()->walk([&](arith::TruncFOp op) {
      arith::FastMathFlags flags =
          op.getFastmath().value_or(arith::FastMathFlags::none);
      if (!bitEnumContainsAny(flags, arith::FastMathFlags::contract))
        return;
      flags = flags & ~arith::FastMathFlags::contract;
      if (flags == arith::FastMathFlags::none)
        op.removeFastmathAttr();
      else
        op.setFastmath(flags);
      ++numKept;
    });
  }
};

} // namespace
} // namespace mlir::pool
