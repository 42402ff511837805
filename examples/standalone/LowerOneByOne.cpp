// Lowers pooling to vectors one operation at a time, and says how: a compiler
// may lower only some, or look at the costs first.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Passes.h"
#include "pool/Conversion/PoolToVector/PoolToVector.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace {
struct LowerOneByOne : PassWrapper<LowerOneByOne, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerOneByOne)

  StringRef getArgument() const override { return "lower-one-by-one"; }
  StringRef getDescription() const override {
    return "Lower pooling to vectors, with a remark about each operation";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    // convert-pool-to-vector depends on the same dialects.
    registry.insert<affine::AffineDialect, arith::ArithDialect,
                    bufferization::BufferizationDialect, linalg::LinalgDialect,
                    math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
                    tensor::TensorDialect, vector::VectorDialect>();
  }
  void runOnOperation() override {
    // selectPlan() and lowerToVector() require this.
    if (failed(pool::verifyLowerable(getOperation())))
      return signalPassFailure();
    const auto target = pool::Target::getGeneric(/*vectorBits=*/256);
    SmallVector<Operation *> ops;
    getOperation()->walk(
        [&](pool::WindowOpInterface op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops) {
      // Nothing is built yet.
      const pool::PlanSelection selection = pool::selectPlan(op, target);
      if (!selection.plan) {
        op->emitRemark("left alone: ") << selection.reason;
        continue;
      }
      op->emitRemark("lowered by ")
          << selection.plan.getStrategy() << ": " << selection.reason;
      if (failed(pool::lowerToVector(rewriter, op, target)))
        return signalPassFailure();
    }
  }
};
} // namespace

void registerLowerOneByOne() { PassRegistration<LowerOneByOne>(); }
