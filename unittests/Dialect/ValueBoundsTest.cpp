// Compares bounds from upstream's constraint sets (ValueBoundsOpInterface) with
// the rules. For a range of input extents, the bounds must be the smallest and
// the largest output extent that the rule gives.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/IR/ValueBoundsOpInterfaceImpl.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Parser/Parser.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/InitAll.h"
#include "gtest/gtest.h"

#include <string>

using namespace mlir;
using namespace mlir::pool;
using presburger::BoundType;

namespace {
class ValueBoundsTest : public testing::Test {
protected:
  ValueBoundsTest() {
    DialectRegistry registry;
    registry.insert<arith::ArithDialect, func::FuncDialect, scf::SCFDialect,
                    tensor::TensorDialect>();
    pool::registerAllDialects(registry);
    arith::registerValueBoundsOpInterfaceExternalModels(registry);
    scf::registerValueBoundsOpInterfaceExternalModels(registry);
    tensor::registerValueBoundsOpInterfaceExternalModels(registry);
    context.appendDialectRegistry(registry);
  }

  /// Expects exactly these bounds for the last extent of `operation` on %x,
  /// which has 10 to 16 elements.
  void expectBounds(const std::string &operation, int64_t least, int64_t most) {
    std::string source = R"mlir(
      func.func @f(%i: tensor<1x3x?xi32>, %g: tensor<1x3x?xf32>) {
        %one = arith.constant 1 : index
        %least = arith.constant 10 : index
        %end = arith.constant 17 : index
        scf.for %size = %least to %end step %one {
          %x = tensor.empty(%size) : tensor<1x3x?xf32>
          %y = )mlir" + operation +
                         R"mlir(
        }
        return
      }
    )mlir";
    OwningOpRef<ModuleOp> module =
        parseSourceString<ModuleOp>(source, ParserConfig(&context));
    ASSERT_TRUE(module) << operation;
    Operation *op = nullptr;
    module->walk([&](Operation *candidate) {
      if (isa<PoolDialect>(candidate->getDialect()))
        op = candidate;
    });
    ASSERT_TRUE(op);
    ValueBoundsConstraintSet::Variable extent(op->getResult(0), 2);
    FailureOr<int64_t> lower =
        ValueBoundsConstraintSet::computeConstantBound(BoundType::LB, extent);
    FailureOr<int64_t> upper = ValueBoundsConstraintSet::computeConstantBound(
        BoundType::UB, extent, /*stopCondition=*/nullptr, /*closedUB=*/true);
    ASSERT_TRUE(succeeded(lower) && succeeded(upper)) << operation;
    EXPECT_EQ(*lower, least) << operation;
    EXPECT_EQ(*upper, most) << operation;
  }

  MLIRContext context;
};
} // namespace

static const std::string kType = " : tensor<1x3x?xf32> -> tensor<1x3x?xf32>";

TEST_F(ValueBoundsTest, FollowTheRounding) {
  // floor((10 + 2 - 3) / 4) + 1 = 3, floor((16 + 2 - 3) / 4) + 1 = 4.
  std::string window = " %x kernel [3] strides [4] pads_begin [1] pads_end [1]";
  expectBounds("pool.max_pool" + window + kType, 3, 4);
  expectBounds("pool.avg_pool" + window + " rounding_type ceil" + kType, 4, 5);
  // For 10 elements, ceil gives 4 windows, and ceil_torch drops the last, which
  // leaves 3. For 16 elements, both give 5 windows.
  expectBounds("pool.lp_pool" + window + " rounding_type ceil_torch" + kType, 3,
               5);
  // With dilation, the window covers 5 elements. auto_pad valid ignores the
  // pads.
  expectBounds("pool.max_pool %x kernel [3] dilations [2] pads_begin [9] "
               "auto_pad valid" +
                   kType,
               6, 12);
}

TEST_F(ValueBoundsTest, FollowSameOutput) {
  std::string window = " %x kernel [3] strides [4] auto_pad same_upper";
  expectBounds("pool.max_pool" + window + kType, 10, 16);
  expectBounds("pool.max_pool" + window + " same_output strided" + kType, 3, 4);
}

TEST_F(ValueBoundsTest, AreWhatIsGiven) {
  expectBounds("pool.adaptive_avg_pool %x output_size [5]" + kType, 5, 5);
  expectBounds("pool.max_unpool %g, %i extents(%size) : tensor<1x3x?xf32>, "
               "tensor<1x3x?xi32> -> tensor<1x3x?xf32>",
               10, 16);
  expectBounds("pool.avg_pool_grad %g extents(%size) kernel [2]" + kType, 10,
               16);
  expectBounds("pool.max_pool_grad %x, %g kernel [2] : tensor<1x3x?xf32>, "
               "tensor<1x3x?xf32> -> tensor<1x3x?xf32>",
               10, 16);
  expectBounds("pool.window_reduce <max> ins(%g : tensor<1x3x?xf32>) "
               "outs(%x : tensor<1x3x?xf32>) kernel [2] strides [1] "
               "dilations [1] pads_begin [0] pads_end [0] "
               "-> tensor<1x3x?xf32>",
               10, 16);
}
