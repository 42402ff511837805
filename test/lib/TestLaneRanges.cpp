// The pass --test-pool-lane-ranges calls loadLanes() and storeLanes() of
// PoolToVector for unregistered operations: "test.load_lanes"(%buffer, %i...,
// %begin, %end, %others) and "test.store_lanes"(%value, %buffer, %i..., %begin,
// %end). test/Conversion/PoolToVector/lane-ranges.mlir uses it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/LaneMask.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "pool/Target/ResolveTarget.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
struct TestLaneRangesPass
    : PassWrapper<TestLaneRangesPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestLaneRangesPass)

  TestLaneRangesPass() = default;
  TestLaneRangesPass(const TestLaneRangesPass &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "test-pool-lane-ranges"; }
  StringRef getDescription() const final {
    return "Build loads and stores of ranges of lanes";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, memref::MemRefDialect, scf::SCFDialect,
                    vector::VectorDialect>();
  }

  void runOnOperation() override {
    FailureOr<Target> target = resolveTarget(
        {/*triple=*/"", cpu, /*features=*/""}, vectorBits, &getContext());
    if (failed(target))
      return signalPassFailure();
    SmallVector<Operation *> loads, stores;
    getOperation().walk([&](Operation *op) {
      if (op->getName().getStringRef() == "test.load_lanes")
        loads.push_back(op);
      if (op->getName().getStringRef() == "test.store_lanes")
        stores.push_back(op);
    });
    for (Operation *op : loads) {
      KernelBuilder at(OpBuilder(op), op->getLoc(), *target);
      ValueRange operands = op->getOperands(), last = operands.take_back(3);
      auto type = cast<VectorType>(op->getResult(0).getType());
      Value lanes = loadLanes(at, type.getNumElements(), operands[0],
                              operands.drop_front().drop_back(3),
                              {last[0], last[1]}, castToSignless(at, last[2]));
      op->getResult(0).replaceAllUsesWith(castFromSignless(at, lanes, type));
      op->erase();
    }
    for (Operation *op : stores) {
      KernelBuilder at(OpBuilder(op), op->getLoc(), *target);
      ValueRange operands = op->getOperands(), last = operands.take_back(2);
      storeLanes(at, operands[0], operands[1],
                 operands.drop_front(2).drop_back(2), {last[0], last[1]});
      op->erase();
    }
  }

  Option<int64_t> vectorBits{*this, "vector-bits", llvm::cl::init(0)};
  Option<std::string> cpu{*this, "mcpu"};
};
} // namespace

namespace mlir::pool::test {
void registerTestLaneRangesPass() { PassRegistration<TestLaneRangesPass>(); }
} // namespace mlir::pool::test
