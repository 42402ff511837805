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

/// Makes the power of NaN be NaN, which Vulkan does not promise.
static void keepNaN(math::PowFOp power) {
  OpBuilder b(power->getContext());
  b.setInsertionPointAfter(power);
  Location loc = power.getLoc();
  Value base = power.getLhs();
  Value isNaN =
      arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, base, base);
  auto select = arith::SelectOp::create(b, loc, isNaN, base, power);
  power.getResult().replaceAllUsesExcept(select, select);
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
    getOperation()->walk([&](gpu::GPUFuncOp kernel) {
      if (std::optional<ArrayRef<int32_t>> size = kernel.getKnownBlockSize())
        kernel->setAttr(spirv::getEntryPointABIAttrName(),
                        spirv::getEntryPointABIAttr(&getContext(), *size));
      kernel.walk([](scf::ForOp loop) { selectResults(loop); });
      kernel.walk([](math::PowFOp power) { keepNaN(power); });
      kernel.walk([](arith::IndexCastOp cast) { limitIndex(cast); });
    });
  }
};
} // namespace
