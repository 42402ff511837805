// Lowers those window operations on buffers that have a plan for GPUs.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pool/Conversion/GPUPlans.h"
#include "pool/GPU/Passes.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLLOWERGPUWINDOWS
#include "pool/GPU/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

namespace {
struct PoolLowerGPUWindowsPass
    : pool::impl::PoolLowerGPUWindowsBase<PoolLowerGPUWindowsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    WalkResult result = getOperation()->walk([&](WindowReduceOp op) {
      return op.hasPureBufferSemantics()
                 ? WalkResult(lowerWindowByGPUPlan(rewriter, op))
                 : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
