// Expands mathematical functions that SPIR-V does not have, or that LLVM cannot
// convert to SPIR-V.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "pool/GPU/Passes.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLEXPANDMATH
#include "pool/GPU/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;

namespace {
struct PoolExpandMathPass : pool::impl::PoolExpandMathBase<PoolExpandMathPass> {
  using PoolExpandMathBase::PoolExpandMathBase;

  void runOnOperation() override {
    bool isVulkan = target == "vulkan";
    if (!isVulkan && target != "opencl")
      return;
    RewritePatternSet patterns(&getContext());
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    if (isVulkan)
      math::populateExpansionPatterns(patterns, {"exp2", "fpowi"});
    else
      math::populateExpansionPatterns(patterns, {"acosh", "asinh", "atanh"});
    // Do not use upstream's atan2 and cbrt, which are wrong for infinities.
    auto isPolynomial = [](StringRef name) {
      return name == math::ErfOp::getOperationName() ||
             name == math::ErfcOp::getOperationName();
    };
    populateMathF32ExpansionPatterns(patterns, isPolynomial, /*benefit=*/2);
    populateMathPolynomialApproximationPatterns(patterns, isPolynomial);
    // Expand only scalars, because upstream's polynomials on tensors are
    // invalid.
    SmallVector<Operation *> scalars;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_present<arith::ArithDialect, math::MathDialect>(
              op->getDialect()) &&
          llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>))
        scalars.push_back(op);
    });
    if (failed(applyOpPatternsGreedily(scalars, std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
