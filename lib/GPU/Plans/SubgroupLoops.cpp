// The loops of the plan gpu-subgroup: each iteration reduces a window that is a
// whole plane by a subgroup of threads.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GPUWindow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pool/Dialect/Pool/IR/WindowLoops.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/WindowBody.h"

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
    Value amount = arith::ConstantIntOp::create(b, loc, integer, shift);
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
  ElementReduction reduction = op.getElementReduction();
  if (!op.hasPositions())
    return {combineElements(b, loc, reduction, others[0], accs[0])};
  Value chosen = isChosen(b, loc, reduction.getPreference(), others[0],
                          others[1], accs[0], accs[1]);
  return {arith::SelectOp::create(b, loc, chosen, others[0], accs[0]),
          arith::SelectOp::create(b, loc, chosen, others[1], accs[1])};
}

/// Collapses each plane of `input` to one dimension, so that loads need no
/// divisions. Returns `input` if planes have one dimension or gaps.
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

void pool::createSubgroupLoops(OpBuilder &b, WindowReduceOp op, int64_t width) {
  Value planes = flattenPlanes(b, op.getLoc(), op.getInput());
  createWindowLoops(b, op, [&](OpBuilder &b, Location loc, ValueRange output) {
    return reducePlane(b, loc, op, planes, output, width);
  });
}
