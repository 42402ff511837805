// Butterfly reduction of a plane by a subgroup of threads, for the plan
// gpu-subgroup. Each window is a whole plane.
//
// First, each thread combines every width-th element of the plane. Then the
// threads exchange their accumulators with gpu.shuffle xor. The distance is
// halved each time, so log2(width) steps suffice. For 4 threads and a plane of
// the 8 elements a to h:
//
//   thread        0          1          2          3
//   elements      a e        b f        c g        d h
//   distance 2    ae cg      bf dh      cg ae      dh bf
//   distance 1    aecg bfdh  bfdh aecg  cgae dhbf  dhbf cgae
//
// At the end, all threads have the result.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GPUWindow.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pool/Dialect/Pool/IR/WindowLoops.h"
#include "pool/Dialect/Pool/Utils/WindowBody.h"

using namespace mlir;
using namespace mlir::pool;

/// Returns what `value` is in another thread, whose lane is the lane of this
/// thread XOR `distance`. A shuffle moves 32 bits, so a wider value needs
/// several.
static Value shuffle(ElementBuilder &b, Value value, int64_t distance,
                     int64_t width) {
  Type type = value.getType(), word = b.getI32Type();
  unsigned bits = type.getIntOrFloatBitWidth();
  Type integer = b.getIntegerType(bits);
  auto exchange = [&](Value part) -> Value {
    return gpu::ShuffleOp::create(b, part, distance, width,
                                  gpu::ShuffleMode::XOR)
        .getShuffleResult();
  };
  Value source = b.convert<arith::BitcastOp>(integer, value), result;
  if (bits < 32)
    result = b.convert<arith::TruncIOp>(
        integer, exchange(b.convert<arith::ExtUIOp>(word, source)));
  else if (bits == 32)
    result = exchange(source);
  for (unsigned shift = 0; bits > 32 && shift < bits; shift += 32) {
    Value amount = b.splat(integer, shift);
    Value part = b.fold<arith::ShRUIOp>(source, amount);
    part = exchange(b.convert<arith::TruncIOp>(word, part));
    part = b.convert<arith::ExtUIOp>(integer, part);
    result = b.bitOr(result, b.fold<arith::ShLIOp>(part, amount));
  }
  return b.convert<arith::BitcastOp>(type, result);
}

/// Combines the accumulators of two parts of a window: `accs` of some of its
/// elements, and `others` of some others.
static SmallVector<Value> combine(ElementBuilder &b, WindowReduceOp op,
                                  ValueRange accs, ValueRange others) {
  ElementReduction reduction = op.getElementReduction();
  if (!op.hasPositions())
    return {combineElements(b, reduction, others[0], accs[0])};
  Value chosen = isChosen(b, reduction.getPreference(), others[0], others[1],
                          accs[0], accs[1]);
  return {b.select(chosen, others[0], accs[0]),
          b.select(chosen, others[1], accs[1])};
}

/// Returns `input` with each plane collapsed to one dimension, so that loads
/// need no divisions. Returns `input` unchanged if its planes have one
/// dimension or if they have gaps.
static Value flattenPlanes(OpBuilder &b, Location loc, Value input) {
  auto type = cast<MemRefType>(input.getType());
  SmallVector<ReassociationIndices> dims = {
      {0}, {1}, llvm::to_vector(llvm::seq<int64_t>(2, type.getRank()))};
  if (type.getRank() == 3 ||
      !memref::CollapseShapeOp::isGuaranteedCollapsible(type, dims))
    return input;
  return memref::CollapseShapeOp::create(b, loc, input, dims);
}

/// Reduces the plane that belongs to `output` by a subgroup of `width` threads.
/// Returns the accumulators, which are the same in all threads. `planes` is a
/// result of flattenPlanes.
static SmallVector<Value> reducePlane(ElementBuilder &b, WindowReduceOp op,
                                      Value planes, ValueRange output,
                                      int64_t width) {
  WindowAttrs window = op.getWindow();
  Value lane = gpu::LaneIdOp::create(b, b.getIndexAttr(width));
  Value end = b.index(llvm::product_of(window.kernel)), step = b.index(width);
  auto loop = scf::ForOp::create(
      b, lane, end, step, createWindowInits(b, op, /*isWhole=*/nullptr),
      [&](OpBuilder &nested, Location loc, Value element, ValueRange accs) {
        ElementBuilder b(nested, loc);
        SmallVector<Value> coordinates(output);
        Value rest = element;
        for (unsigned i = window.getNumSpatialDims() - 1; i > 0; --i) {
          Value extent = b.index(window.kernel[i]);
          coordinates[i + 2] = b.rem(rest, extent);
          rest = b.divUnsigned(rest, extent);
        }
        coordinates[2] = rest;
        SmallVector<Value> indices = {output[0], output[1], element};
        bool isFlat = cast<MemRefType>(planes.getType()).getRank() == 3;
        Value stored =
            memref::LoadOp::create(b, planes, isFlat ? indices : coordinates);
        scf::YieldOp::create(
            b, accumulateInWindow(b, op, stored, coordinates, accs));
      });
  SmallVector<Value> accs(loop.getResults());
  for (int64_t distance = width / 2; distance > 0; distance /= 2) {
    SmallVector<Value> others;
    for (Value acc : accs)
      others.push_back(shuffle(b, acc, distance, width));
    accs = combine(b, op, accs, others);
  }
  return accs;
}

void pool::createSubgroupLoops(OpBuilder &b, WindowReduceOp op, int64_t width) {
  Value planes = flattenPlanes(b, op.getLoc(), op.getInput());
  createWindowLoops(b, op, [&](ElementBuilder &b, ValueRange output) {
    return reducePlane(b, op, planes, output, width);
  });
}
