// Lowers windows that are whole planes to loops whose iterations are subgroups
// of threads, as the plan gpu-subgroup says.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pool/Conversion/PoolToLoops/PoolToLoops.h"
#include "pool/Dialect/Pool/Transforms/WindowBody.h"
#include "pool/Dialect/Pool/Transforms/WindowOnBuffers.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/GPU/Passes.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLSUBGROUPWINDOWS
#include "pool/GPU/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

/// Returns `value`, a number, of the thread whose lane differs by the bit
/// `distance`. Shuffles move 32 bits.
static Value shuffle(OpBuilder &b, Location loc, Value value, int64_t distance,
                     int64_t width) {
  Type type = value.getType(), word = b.getI32Type();
  unsigned bits = type.getIntOrFloatBitWidth();
  Type integer = b.getIntegerType(bits);
  auto exchange = [&](Value part) -> Value {
    return gpu::ShuffleOp::create(b, loc, part, distance, width,
                                  gpu::ShuffleMode::XOR)
        .getShuffleResult();
  };
  Value source = b.createOrFold<arith::BitcastOp>(loc, integer, value), result;
  if (bits < 32)
    result = arith::TruncIOp::create(
        b, loc, integer,
        exchange(arith::ExtUIOp::create(b, loc, word, source)));
  else if (bits == 32)
    result = exchange(source);
  for (unsigned shift = 0; bits > 32 && shift < bits; shift += 32) {
    Value amount = createInteger(b, loc, integer, shift);
    Value part = b.createOrFold<arith::ShRUIOp>(loc, source, amount);
    part = exchange(arith::TruncIOp::create(b, loc, word, part));
    part = arith::ExtUIOp::create(b, loc, integer, part);
    part = b.createOrFold<arith::ShLIOp>(loc, part, amount);
    result = result ? b.createOrFold<arith::OrIOp>(loc, result, part) : part;
  }
  return b.createOrFold<arith::BitcastOp>(loc, type, result);
}

/// Returns the accumulators of a window whose elements both `accs` and `others`
/// have in part.
static SmallVector<Value> combine(OpBuilder &b, Location loc, WindowReduceOp op,
                                  ValueRange accs, ValueRange others) {
  ElementReduction reduction(op);
  if (!op.hasPositions())
    return {combineElements(b, loc, reduction, others[0], accs[0])};
  Value chosen = isChosen(b, loc, reduction.getPreference(), others[0],
                          others[1], accs[0], accs[1]);
  return {arith::SelectOp::create(b, loc, chosen, others[0], accs[0]),
          arith::SelectOp::create(b, loc, chosen, others[1], accs[1])};
}

/// Returns `input` with planes of one dimension, whose indices need no
/// divisions. Returns `input` itself if its planes have gaps.
static Value flattenPlanes(OpBuilder &b, Location loc, Value input) {
  auto type = cast<MemRefType>(input.getType());
  SmallVector<ReassociationIndices> dims = {
      {0}, {1}, llvm::to_vector(llvm::seq<int64_t>(2, type.getRank()))};
  if (type.getRank() == 3 ||
      !memref::CollapseShapeOp::isGuaranteedCollapsible(type, dims))
    return input;
  return memref::CollapseShapeOp::create(b, loc, input, dims);
}

/// Reduces the plane of `output` by a subgroup of `width` threads. Returns the
/// accumulators, which all threads have. `planes` is from flattenPlanes.
static SmallVector<Value> reducePlane(OpBuilder &b, Location loc,
                                      WindowReduceOp op, Value planes,
                                      ValueRange output, int64_t width) {
  WindowAttrs window = op.getWindow();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value lane = gpu::LaneIdOp::create(b, loc, b.getIndexAttr(width));
  auto loop = scf::ForOp::create(
      b, loc, lane, index(llvm::product_of(window.kernel)), index(width),
      createWindowInits(b, loc, op, /*isWhole=*/nullptr),
      [&](OpBuilder &b, Location loc, Value element, ValueRange accs) {
        SmallVector<Value> coordinates(output);
        Value rest = element;
        for (unsigned i = window.getNumSpatialDims() - 1; i > 0; --i) {
          Value extent = index(window.kernel[i]);
          coordinates[i + 2] = arith::RemUIOp::create(b, loc, rest, extent);
          rest = arith::DivUIOp::create(b, loc, rest, extent);
        }
        coordinates[2] = rest;
        SmallVector<Value> indices = {output[0], output[1], element};
        bool isFlat = cast<MemRefType>(planes.getType()).getRank() == 3;
        Value stored = memref::LoadOp::create(b, loc, planes,
                                              isFlat ? indices : coordinates);
        scf::YieldOp::create(
            b, loc, accumulateInWindow(b, loc, op, stored, coordinates, accs));
      });
  SmallVector<Value> accs(loop.getResults());
  for (int64_t distance = width / 2; distance > 0; distance /= 2) {
    SmallVector<Value> others;
    for (Value acc : accs)
      others.push_back(shuffle(b, loc, acc, distance, width));
    accs = combine(b, loc, op, accs, others);
  }
  return accs;
}

static void lower(RewriterBase &b, WindowReduceOp op, int64_t width) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<Value> upper = getValueOrCreateConstantIndexOp(
      b, loc, memref::getMixedSizes(b, loc, op.getOuts()[0]));
  SmallVector<Value> lower(upper.size(),
                           arith::ConstantIndexOp::create(b, loc, 0));
  SmallVector<Value> steps(upper.size(),
                           arith::ConstantIndexOp::create(b, loc, 1));
  Value planes = flattenPlanes(b, loc, op.getInput());
  auto loops = scf::ParallelOp::create(b, loc, lower, upper, steps);
  b.setInsertionPointToStart(loops.getBody());
  SmallVector<Value> output(loops.getInductionVars());
  SmallVector<Value> results = reducePlane(b, loc, op, planes, output, width);
  for (auto [value, out] : llvm::zip_equal(results, op.getOuts())) {
    Type type = cast<MemRefType>(out.getType()).getElementType();
    memref::StoreOp::create(b, loc, castFromSignless(b, loc, value, type), out,
                            output);
  }
  b.eraseOp(op);
}

namespace {
struct PoolSubgroupWindowsPass
    : pool::impl::PoolSubgroupWindowsBase<PoolSubgroupWindowsPass> {
  void runOnOperation() override {
    IRRewriter b(&getContext());
    getOperation()->walk([&](WindowReduceOp op) {
      PlanAttr plan = PlanAttr::getOf(op);
      if (!plan || plan.getStrategy().getValue() != "gpu-subgroup" ||
          !op.hasPureBufferSemantics() || !getSubgroupObstacle(op).empty())
        return;
      auto width = plan.getParameters().getAs<IntegerAttr>("width");
      if (width && llvm::isPowerOf2_64(width.getInt()) && width.getInt() <= 64)
        lower(b, op, width.getInt());
    });
  }
};
} // namespace
