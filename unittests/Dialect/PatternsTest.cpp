// The pattern sets must work with the greedy driver: pooling must become linalg
// in one rewrite. Our passes use another driver, but other compilers may apply
// the patterns by any driver.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "pool/Conversion/PoolToLinalg/PoolToLinalg.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/InitAll.h"
#include "gtest/gtest.h"

#include <string>

using namespace mlir;

static const std::string source = R"mlir(
  func.func @f(%x: tensor<?x3x?xf16>, %g: tensor<?x3x?xf16>)
      -> (tensor<?x3x?xi32>, tensor<?x3x?xf16>, tensor<?x3x?xf16>,
          tensor<?x3x5xf16>, tensor<?x3x?xf16>) {
    %0, %1 = pool.max_pool %x kernel [3] rounding_type ceil
           : tensor<?x3x?xf16> -> tensor<?x3x?xf16>, tensor<?x3x?xi32>
    %2 = pool.avg_pool %x kernel [3] auto_pad same_upper
       : tensor<?x3x?xf16> -> tensor<?x3x?xf16>
    %3 = pool.lp_pool %x kernel [3] : tensor<?x3x?xf16> -> tensor<?x3x?xf16>
    %4 = pool.adaptive_avg_pool %x output_size [5]
       : tensor<?x3x?xf16> -> tensor<?x3x5xf16>
    %5 = pool.max_pool_grad %x, %g kernel [3]
       : tensor<?x3x?xf16>, tensor<?x3x?xf16> -> tensor<?x3x?xf16>
    return %1, %2, %3, %4, %5 : tensor<?x3x?xi32>, tensor<?x3x?xf16>,
           tensor<?x3x?xf16>, tensor<?x3x5xf16>, tensor<?x3x?xf16>
  }
)mlir";

TEST(Patterns, LeadToLinalgInOneGreedyRewrite) {
  DialectRegistry registry;
  registry.insert<func::FuncDialect, tensor::TensorDialect>();
  pool::registerAllDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(source, ParserConfig(&context));
  ASSERT_TRUE(module);

  RewritePatternSet patterns(&context);
  pool::populatePoolToLinalgPatterns(patterns);
  ASSERT_TRUE(succeeded(applyPatternsGreedily(*module, std::move(patterns))));

  EXPECT_TRUE(succeeded(verify(*module)));
  module->walk([](Operation *op) {
    EXPECT_FALSE(isa<pool::PoolDialect>(op->getDialect()))
        << op->getName().getStringRef().str();
  });
}
