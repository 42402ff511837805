// Tests the C++ functions that plan and lower a single operation to vectors, as
// other compilers call them. They must honour a pinned plan, and leave the IR
// unchanged if they fail, with a reason.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConversionTest.h"

#include "pool/Conversion/PoolToVector/PoolToVector.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Keeps the last reason for which a pattern or function did not match.
struct Reasons : RewriterBase::Listener {
  void notifyMatchFailure(Location loc,
                          function_ref<void(Diagnostic &)> reason) override {
    Diagnostic diagnostic(loc, DiagnosticSeverity::Remark);
    reason(diagnostic);
    last = diagnostic.str();
  }
  std::string last;
};

class LowerToVectorTest : public ConversionTest {
protected:
  LowerToVectorTest() { rewriter.setListener(&reasons); }

  std::string print() {
    std::string text;
    llvm::raw_string_ostream(text) << *module;
    return text;
  }

  /// Counts operations of the dialect, but for those that have loops.
  int64_t countLeft() {
    int64_t count = 0;
    module->walk([&](Operation *op) {
      count += isa_and_present<PoolDialect>(op->getDialect()) &&
               !isa<OnBuffersOp>(op);
    });
    return count;
  }

  Reasons reasons;
  IRRewriter rewriter{&context};
  Target target = Target::getGeneric(256);
};
} // namespace

constexpr char kAverage[] = R"mlir(
  func.func @f(%x: tensor<1x4x32x32xf32>) -> tensor<1x4x30x30xf32> {
    %0 = pool.avg_pool %x kernel [3, 3]
       : tensor<1x4x32x32xf32> -> tensor<1x4x30x30xf32>
    return %0 : tensor<1x4x30x30xf32>
  }
)mlir";

TEST_F(LowerToVectorTest, SelectsWithCostsAndReasons) {
  Operation *op = parse(kAverage);
  ASSERT_TRUE(op);
  std::string before = print();
  PlanSelection selection = selectPlan(op, target);
  ASSERT_TRUE(selection.plan);
  EXPECT_EQ(selection.plan.getStrategy().getValue(), "planes");
  EXPECT_FALSE(selection.isPinned);
  ASSERT_TRUE(selection.cost);
  bool hasCost = false, hasNone = false;
  for (const RejectedStrategy &rejected : selection.rejected) {
    EXPECT_NE(rejected.strategy, "planes");
    EXPECT_FALSE(rejected.reason.empty());
    if (rejected.cost)
      EXPECT_GE(*rejected.cost, *selection.cost);
    (rejected.cost ? hasCost : hasNone) = true;
  }
  EXPECT_TRUE(hasCost && hasNone);
  EXPECT_EQ(before, print());
  EXPECT_EQ(numDiagnostics, 0);
}

TEST_F(LowerToVectorTest, ReturnsTheValuesInPlaceOfResults) {
  Operation *op = parse(kAverage);
  ASSERT_TRUE(op);
  FailureOr<SmallVector<Value>> values = lowerToVector(rewriter, op, target);
  ASSERT_TRUE(succeeded(values));
  ASSERT_EQ(values->size(), 1u);
  EXPECT_TRUE(values->front().getDefiningOp<OnBuffersOp>());
  module->walk([&](func::ReturnOp end) {
    EXPECT_EQ(end.getOperand(0), values->front());
  });
  EXPECT_EQ(countLeft(), 0);
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(LowerToVectorTest, ReturnsTheValueOfTheLastFusedOperation) {
  Operation *op = parse(R"mlir(
    #id = affine_map<(n, c, w) -> (n, c, w)>
    func.func @f(%x: tensor<1x4x?xf32>, %e: tensor<1x4x?xf32>)
        -> (tensor<1x4x?xf32>, tensor<1x4x?xi64>) {
      %0, %1 = pool.max_pool %x kernel [3]
             : tensor<1x4x?xf32> -> tensor<1x4x?xf32>, tensor<1x4x?xi64>
      %2 = linalg.generic {indexing_maps = [#id, #id],
          iterator_types = ["parallel", "parallel", "parallel"]}
          ins(%0 : tensor<1x4x?xf32>) outs(%e : tensor<1x4x?xf32>) {
      ^bb0(%a: f32, %out: f32):
        %b = arith.negf %a : f32
        linalg.yield %b : f32
      } -> tensor<1x4x?xf32>
      return %2, %1 : tensor<1x4x?xf32>, tensor<1x4x?xi64>
    }
  )mlir");
  ASSERT_TRUE(op);
  FailureOr<SmallVector<Value>> values = lowerToVector(rewriter, op, target);
  ASSERT_TRUE(succeeded(values));
  ASSERT_EQ(values->size(), 2u);
  module->walk([&](func::ReturnOp end) {
    EXPECT_EQ(end.getOperand(0), (*values)[0]);
    EXPECT_EQ(end.getOperand(1), (*values)[1]);
  });
  EXPECT_TRUE(succeeded(verify(*module)));
}

namespace {
struct LowerMaxPool : OpRewritePattern<MaxPoolOp> {
  LowerMaxPool(MLIRContext *context, const Target &target)
      : OpRewritePattern(context), target(target) {}
  LogicalResult matchAndRewrite(MaxPoolOp op,
                                PatternRewriter &rewriter) const override {
    return lowerToVector(rewriter, op, target);
  }
  Target target;
};
} // namespace

TEST_F(LowerToVectorTest, WorksInAPattern) {
  // With indices, operations of the fused body fold.
  ASSERT_TRUE(parse(R"mlir(
    func.func @f(%x: tensor<1x4x16xf32>)
        -> (tensor<1x4x14xf32>, tensor<1x4x14xi64>) {
      %0, %1 = pool.max_pool %x kernel [3]
             : tensor<1x4x16xf32> -> tensor<1x4x14xf32>, tensor<1x4x14xi64>
      return %0, %1 : tensor<1x4x14xf32>, tensor<1x4x14xi64>
    }
  )mlir"));
  RewritePatternSet patterns(&context);
  patterns.add<LowerMaxPool>(&context, target);
  EXPECT_TRUE(succeeded(applyPatternsGreedily(*module, std::move(patterns))));
  EXPECT_EQ(countLeft(), 0);
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(LowerToVectorTest, HonoursAPinnedPlan) {
  Operation *op = parse(kAverage);
  ASSERT_TRUE(op);
  PlanAttr pinned = parsePlan("\"direct\", lanes = 4");
  op->setAttr(PlanAttr::getName(), pinned);
  PlanSelection selection = selectPlan(op, target);
  EXPECT_EQ(selection.plan, pinned);
  EXPECT_TRUE(selection.isPinned);
  EXPECT_FALSE(selection.cost);
  ASSERT_TRUE(succeeded(lowerToVector(rewriter, op, target)));
  bool hasFourLanes = false;
  module->walk([&](Operation *nested) {
    for (Type type : nested->getResultTypes())
      if (auto vector = dyn_cast<VectorType>(type))
        hasFourLanes |= vector.getShape() == ArrayRef<int64_t>(4);
  });
  EXPECT_TRUE(hasFourLanes);
}

TEST_F(LowerToVectorTest, LeavesTheIRIfAPinnedPlanDoesNotFit) {
  Operation *op = parse(kAverage);
  ASSERT_TRUE(op);
  op->setAttr(PlanAttr::getName(), parsePlan("\"direct\", lanes = 3"));
  std::string before = print();
  PlanSelection selection = selectPlan(op, target);
  EXPECT_FALSE(selection.plan);
  EXPECT_TRUE(selection.isPinned);
  EXPECT_TRUE(failed(lowerToVector(rewriter, op, target)));
  EXPECT_EQ(reasons.last, "direct: lanes is 3, must be a power of two up to 8");
  EXPECT_EQ(reasons.last, selection.reason);
  EXPECT_EQ(before, print());
  EXPECT_EQ(numDiagnostics, 0);
}

TEST_F(LowerToVectorTest, LeavesTheIRIfThereIsNoPlan) {
  Operation *op = parse(R"mlir(
    func.func @f(%x: tensor<1x4x?xf32>) -> tensor<1x4x?xf32> {
      %0 = pool.max_pool %x kernel [1073741825]
         : tensor<1x4x?xf32> -> tensor<1x4x?xf32>
      return %0 : tensor<1x4x?xf32>
    }
  )mlir");
  ASSERT_TRUE(op);
  std::string before = print();
  EXPECT_TRUE(failed(lowerToVector(rewriter, op, target)));
  EXPECT_NE(reasons.last.find("kernel 1073741825"), std::string::npos);
  EXPECT_EQ(before, print());
  EXPECT_EQ(numDiagnostics, 0);
}

TEST_F(LowerToVectorTest, LowersWhatAGradientCreates) {
  // Indices are recomputed by a pooling.
  Operation *op = parse(R"mlir(
    func.func @f(%x: tensor<1x4x?x?xf32>, %g: tensor<1x4x?x?xf32>)
        -> tensor<1x4x?x?xf32> {
      %0 = pool.max_pool_grad %x, %g kernel [3, 3] strides [2, 2]
         : tensor<1x4x?x?xf32>, tensor<1x4x?x?xf32> -> tensor<1x4x?x?xf32>
      return %0 : tensor<1x4x?x?xf32>
    }
  )mlir");
  ASSERT_TRUE(op);
  auto isReturned = [&](ValueRange values) {
    WalkResult result = module->walk([&](func::ReturnOp end) {
      return WalkResult(success(ValueRange(end.getOperands()) == values));
    });
    return !result.wasInterrupted();
  };
  FailureOr<SmallVector<Value>> values = lowerToVector(rewriter, op, target);
  ASSERT_TRUE(succeeded(values));
  EXPECT_TRUE(isReturned(*values));
  EXPECT_EQ(countLeft(), 0);
  // With stride 1, the gradient is a sum over windows.
  op = parse(R"mlir(
    func.func @f(%g: tensor<1x4x30x30xf32>) -> tensor<1x4x32x32xf32> {
      %0 = pool.avg_pool_grad %g kernel [3, 3]
         : tensor<1x4x30x30xf32> -> tensor<1x4x32x32xf32>
      return %0 : tensor<1x4x32x32xf32>
    }
  )mlir");
  ASSERT_TRUE(op);
  values = lowerToVector(rewriter, op, target);
  ASSERT_TRUE(succeeded(values));
  EXPECT_TRUE(isReturned(*values));
  EXPECT_EQ(countLeft(), 0);
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(LowerToVectorTest, LeavesAdaptivePoolingThatEqualsOrdinaryPooling) {
  Operation *op = parse(R"mlir(
    func.func @f(%x: tensor<1x4x8xf32>) -> tensor<1x4x4xf32> {
      %0 = pool.adaptive_avg_pool %x output_size [4]
         : tensor<1x4x8xf32> -> tensor<1x4x4xf32>
      return %0 : tensor<1x4x4xf32>
    }
  )mlir");
  ASSERT_TRUE(op);
  std::string before = print();
  EXPECT_TRUE(failed(lowerToVector(rewriter, op, target)));
  EXPECT_NE(reasons.last.find("pool-adaptive-to-window"), std::string::npos);
  EXPECT_EQ(before, print());
}

namespace {
/// Counts operations of linalg that are erased after they were created.
struct ErasedLinalg : RewriterBase::Listener {
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    if (isa<linalg::LinalgOp>(op) && !previous.isSet())
      created.insert(op);
  }
  void notifyOperationErased(Operation *op) override {
    numErased += created.erase(op);
  }
  DenseSet<Operation *> created;
  int numErased = 0;
};
} // namespace

// What is known goes from operation to loops as values: no linalg is created to
// be matched. Tries every operation of the tests of the conversion.
TEST_F(LowerToVectorTest, EraseNoLinalgThatTheyCreate) {
  SmallVector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(POOL_VECTOR_TESTS, error), end;
       it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".mlir"))
      files.push_back(it->path());
  llvm::sort(files);
  int numLowered = 0;
  for (const std::string &file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    ASSERT_TRUE(buffer) << file;
    SmallVector<StringRef> sources;
    (*buffer)->getBuffer().split(sources, "// -----");
    for (StringRef source : sources) {
      // Some modules are to be refused.
      auto parsed = parseSourceString<ModuleOp>(source, ParserConfig(&context));
      if (!parsed)
        continue;
      SmallVector<Operation *> ops;
      parsed->walk([&](Operation *op) {
        if (isa_and_present<PoolDialect>(op->getDialect()))
          ops.push_back(op);
      });
      ErasedLinalg listener;
      rewriter.setListener(&listener);
      for (Operation *op : ops)
        numLowered += succeeded(lowerToVector(rewriter, op, target));
      EXPECT_EQ(listener.numErased, 0) << file << source.str();
      EXPECT_TRUE(succeeded(verify(*parsed))) << file << source.str();
    }
  }
  EXPECT_GT(numLowered, 200);
}
