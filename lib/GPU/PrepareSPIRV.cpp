// Prepares kernels for convert-gpu-to-spirv: marks them as entry points, which
// upstream does in a test pass alone, and keeps the results of loops without
// iterations, which upstream loses (docs/Internals/upstream/gpu.md).
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/SPIRV/IR/TargetAndABI.h"
#include "pool/GPU/Passes.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLPREPARESPIRV
#include "pool/GPU/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

/// Selects between the results and the initial values of `loop`, unless it is
/// known to have an iteration.
static void selectResults(scf::ForOp loop) {
  std::optional<APInt> count = loop.getStaticTripCount();
  if (loop.getNumResults() == 0 || (count && !count->isZero()))
    return;
  OpBuilder b(loop->getContext());
  b.setInsertionPointAfter(loop);
  Location loc = loop.getLoc();
  Value runs =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                            loop.getLowerBound(), loop.getUpperBound());
  for (auto [result, init] :
       llvm::zip_equal(loop.getResults(), loop.getInitArgs())) {
    auto select = arith::SelectOp::create(b, loc, runs, result, init);
    result.replaceAllUsesExcept(select, select);
  }
}

/// Makes the power of NaN be NaN, and the power of any number by 0 be 1.
/// Vulkan promises neither.
static void mendPower(math::PowFOp power) {
  OpBuilder b(power->getContext());
  b.setInsertionPointAfter(power);
  Location loc = power.getLoc();
  Value base = power.getLhs(), exponent = power.getRhs();
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(b, loc,
                                     b.getFloatAttr(power.getType(), value));
  };
  Value isNaN =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, base, base);
  auto kept = arith::SelectOp::create(b, loc, isNaN, base, power);
  Value isZero = b.createOrFold<arith::CmpFOp>(loc, arith::CmpFPredicate::OEQ,
                                               exponent, constant(0));
  Value result =
      b.createOrFold<arith::SelectOp>(loc, isZero, constant(1), kept);
  power.getResult().replaceUsesWithIf(
      result, [&](OpOperand &use) { return use.getOwner() != kept; });
}

/// Limits a number of 64 bits to 32 bits before it becomes an index, which has
/// 32 bits on Vulkan. A limited number stays outside of every buffer.
static void limitIndex(arith::IndexCastOp cast) {
  Value number = cast.getIn();
  if (!number.getType().isInteger(64))
    return;
  OpBuilder b(cast);
  Location loc = cast.getLoc();
  auto limit = [&](int32_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, number.getType(), value);
  };
  number = arith::MinSIOp::create(b, loc, number,
                                  limit(std::numeric_limits<int32_t>::max()));
  number = arith::MaxSIOp::create(b, loc, number,
                                  limit(std::numeric_limits<int32_t>::min()));
  cast.getInMutable().assign(number);
}

namespace {
struct PoolPrepareSPIRVPass
    : pool::impl::PoolPrepareSPIRVBase<PoolPrepareSPIRVPass> {
  void runOnOperation() override {
    // convert-math-to-spirv looks for the target in another place than
    // spirv-attach-target puts it.
    getOperation()->walk([&](gpu::GPUModuleOp module) {
      if (ArrayAttr targets = module.getTargetsAttr())
        module->setAttr(spirv::getTargetEnvAttrName(), targets[0]);
    });
    getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      if (std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize())
        kernel->setAttr(spirv::getEntryPointABIAttrName(),
                        spirv::getEntryPointABIAttr(&getContext(), *size));
      kernel.walk([](scf::ForOp loop) { selectResults(loop); });
      kernel.walk([](math::PowFOp power) {
        if (isa<FloatType>(power.getType()))
          mendPower(power);
      });
      kernel.walk([](arith::IndexCastOp cast) { limitIndex(cast); });
    });
  }
};
} // namespace
