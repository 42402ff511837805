// Prepares kernels for convert-gpu-to-spirv (docs/Internals/upstream/gpu.md):
// - Marks kernels as entry points, which upstream does only in a test pass.
// - Keeps the initial values of loops that have no iterations, which upstream
//   loses.
// - Corrects powers, which Vulkan does not compute as C does.
// - Limits indices to 32 bits.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SPIRV/IR/SPIRVDialect.h"
#include "mlir/Dialect/SPIRV/IR/TargetAndABI.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pool/GPU/Passes.h"

#include <cmath>

namespace mlir::pool {
#define GEN_PASS_DEF_POOLPREPARESPIRV
#include "pool/GPU/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

/// Works around a bug of upstream's conversion, which loses the initial values
/// of a loop without iterations. Selects the initial values if `loop` has no
/// iteration. Does nothing if it is known to have one.
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

/// Replaces `power` by operations that compute what C's pow does. Vulkan's
/// instruction is undefined for a negative base, and for base 0 unless the
/// exponent is positive. Drivers do not preserve NaN.
static void mendPower(math::PowFOp power) {
  using Predicate = arith::CmpFPredicate;
  ImplicitLocOpBuilder b(power.getLoc(), power);
  Value base = power.getLhs(), exponent = power.getRhs();
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(b, b.getFloatAttr(power.getType(), value));
  };
  auto compare = [&](Predicate predicate, Value lhs, Value rhs) -> Value {
    return arith::CmpFOp::create(b, predicate, lhs, rhs);
  };
  Value zero = constant(0), one = constant(1), two = constant(2);
  Value infinity = constant(INFINITY), nan = constant(NAN);
  Value magnitude = math::AbsFOp::create(b, base);
  Value floor = math::FloorOp::create(b, exponent);
  // Compute the exponent modulo 2 by a product, because Vulkan's division is
  // not exact.
  Value half = math::FloorOp::create(
      b, arith::MulFOp::create(b, exponent, constant(0.5)));
  Value rest =
      arith::SubFOp::create(b, exponent, arith::MulFOp::create(b, half, two));
  // The choices override each other, so a later one has priority.
  Value result = math::PowFOp::create(b, magnitude, exponent);
  auto choose = [&](Value condition, Value value) {
    result = arith::SelectOp::create(b, condition, value, result);
  };
  Value isReciprocal = compare(Predicate::OLT, exponent, zero);
  choose(arith::AndIOp::create(b, isReciprocal,
                               compare(Predicate::OEQ, magnitude, zero)),
         infinity);
  choose(compare(Predicate::OEQ, magnitude, one), one);
  // For an exponent just above -1, the computed remainder is 1 too, so also
  // test that the exponent is an integer.
  Value isOdd =
      arith::AndIOp::create(b, compare(Predicate::OEQ, floor, exponent),
                            compare(Predicate::OEQ, rest, one));
  choose(isOdd, math::CopySignOp::create(b, result, base));
  Value isFinite = compare(Predicate::OLT, magnitude, infinity);
  Value isNegative =
      arith::AndIOp::create(b, isFinite, compare(Predicate::OLT, base, zero));
  choose(arith::AndIOp::create(b, isNegative,
                               compare(Predicate::ONE, floor, exponent)),
         nan);
  choose(compare(Predicate::UNO, base, exponent), nan);
  choose(compare(Predicate::OEQ, base, one), one);
  choose(compare(Predicate::OEQ, exponent, zero), one);
  power.replaceAllUsesWith(result);
  power.erase();
}

/// Clamps a 64-bit integer to 32 bits before it becomes an index, because an
/// index has 32 bits on Vulkan. A number outside of a buffer stays outside.
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
    // convert-math-to-spirv looks for the target in another attribute than the
    // one that spirv-attach-target sets.
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
