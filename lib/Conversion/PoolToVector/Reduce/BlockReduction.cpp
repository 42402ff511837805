// Reduces the windows of one dimension across the direction of the lanes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reduce/BlockReduction.h"

#include "Emit/LaneMask.h"
#include "Emit/Memory.h"
#include "Problem/CostModel.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

AccumulatorBuffer AccumulatorBuffer::allocate(OpBuilder &b, Location loc,
                                              const LaneReduction &reduction,
                                              ArrayRef<int64_t> shape,
                                              ValueRange dynamicSizes) {
  auto create = [&](VectorType lanes) -> Value {
    return memref::AllocOp::create(
        b, loc, MemRefType::get(shape, lanes.getElementType()), dynamicSizes,
        b.getI64IntegerAttr(64));
  };
  AccumulatorBuffer buffer{create(reduction.getType()), {}};
  if (reduction.hasIndices())
    buffer.indices = create(reduction.getPositionType());
  return buffer;
}

Accumulator AccumulatorBuffer::load(OpBuilder &b, Location loc,
                                    const LaneReduction &reduction,
                                    ValueRange place, Value mask) const {
  Accumulator none = mask ? reduction.getEmpty(b, loc) : Accumulator();
  auto create = [&](VectorType type, Value buffer, Value others) -> Value {
    if (mask)
      return vector::MaskedLoadOp::create(b, loc, type, buffer, place, mask,
                                          others);
    return vector::LoadOp::create(b, loc, type, buffer, place);
  };
  Accumulator lanes{create(reduction.getType(), values, none.value), {}};
  if (indices)
    lanes.index = create(reduction.getPositionType(), indices, none.index);
  return lanes;
}

void AccumulatorBuffer::store(OpBuilder &b, Location loc, Accumulator lanes,
                              ValueRange place, Value mask) const {
  storeLanes(b, loc, lanes.value, values, place, mask);
  if (indices)
    storeLanes(b, loc, lanes.index, indices, place, mask);
}

AccumulatorBuffer AccumulatorBuffer::flatten(OpBuilder &b, Location loc) const {
  return {collapseFrom(b, loc, values, 0),
          indices ? collapseFrom(b, loc, indices, 0) : Value()};
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void BlockReduction::append(MutableArrayRef<Accumulator> accs, Value position,
                            LoadFn load) {
  for (auto [acc, later] : llvm::zip_equal(accs, load(position)))
    acc = reduction.choose(k.b, k.loc, acc, later);
}

void BlockReduction::append(MutableArrayRef<Accumulator> accs, Value begin,
                            int64_t count, LoadFn load) {
  if (count > cost::kMaxStraightStride)
    return k.forEach(begin, k.add(begin, count), 1, accs,
                     [&](Value position) { append(accs, position, load); });
  for (int64_t i = 0; i < count; ++i)
    append(accs, k.add(begin, i), load);
}

SmallVector<Accumulator> BlockReduction::getEmpty() {
  return SmallVector<Accumulator>(numVectors, reduction.getEmpty(k.b, k.loc));
}

void BlockReduction::emit(Value numWindows, const AccumulatorBuffer &suffixes,
                          LoadFn load, StoreFn store) {
  int64_t firstPrefix = getFirstPrefix(dim);
  Value last = k.sub(numWindows, 1);
  SmallVector<Accumulator> suffix = getEmpty(), prefix = getEmpty();
  auto storeSuffix = [&](Value window) {
    for (auto [i, acc] : llvm::enumerate(suffix))
      suffixes.store(k.b, k.loc, acc, {window, getColumn(i)});
  };

  k.forEach(k.mul(last, dim.stride), k.index(firstPrefix), 1, suffix,
            [&](Value position) { append(suffix, position, load); });
  storeSuffix(last);
  k.forEach(k.index(0), last, 1, suffix, [&](Value i) {
    Value window = k.sub(k.sub(last, 1), i);
    append(suffix, k.mul(window, dim.stride), dim.stride, load);
    storeSuffix(window);
  });

  k.forEach(k.index(0), numWindows, 1, prefix, [&](Value window) {
    append(prefix, k.add(k.mul(window, dim.stride), firstPrefix),
           dim.kernel - firstPrefix, load);
    SmallVector<Accumulator> results;
    for (auto [i, acc] : llvm::enumerate(prefix))
      results.push_back(reduction.choose(
          k.b, k.loc,
          suffixes.load(k.b, k.loc, reduction, {window, getColumn(i)}), acc));
    store(window, results);
  });
}
