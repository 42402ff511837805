// Reduces the windows of one dimension across the direction of the lanes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reduce/BlockReduction.h"

#include "Problem/CostModel.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

AccumulatorBuffer AccumulatorBuffer::allocate(KernelBuilder &at,
                                              const LaneReduction &reduction,
                                              ArrayRef<Value> extents) {
  auto create = [&](VectorType lanes) {
    return at.allocate(extents, lanes.getElementType());
  };
  AccumulatorBuffer buffer{create(reduction.getType()), {}, {}};
  if (reduction.hasIndices())
    buffer.indices = create(reduction.getPositionType());
  return buffer;
}

Accumulator AccumulatorBuffer::load(KernelBuilder &at,
                                    const LaneReduction &reduction,
                                    ValueRange place,
                                    const LaneRange &range) const {
  if (!inputRow.empty()) {
    Value stored = reduction.load(at, values, append(inputRow, place), range);
    return {reduction.begin(at, reduction.prepare(at, stored)), {}};
  }
  Accumulator none = reduction.getEmpty(at);
  auto create = [&](Value buffer, Value others) -> Value {
    return buffer ? loadLanes(at, reduction.getLength(), buffer, place, range,
                              others)
                  : Value();
  };
  return {create(values, none.value), create(indices, none.index)};
}

void AccumulatorBuffer::store(KernelBuilder &at, Accumulator lanes,
                              ValueRange place, const LaneRange &range) const {
  storeLanes(at, lanes.value, values, place, range);
  if (indices)
    storeLanes(at, lanes.index, indices, place, range);
}

AccumulatorBuffer AccumulatorBuffer::flatten(KernelBuilder &at) const {
  return {collapseFrom(at, values, 0),
          indices ? collapseFrom(at, indices, 0) : Value(),
          {}};
}

//===----------------------------------------------------------------------===//
// Strips
//===----------------------------------------------------------------------===//

void pool::forEachStrip(KernelBuilder &at, Value count, int64_t length,
                        int64_t numVectors,
                        function_ref<void(const VectorStrip &)> body) {
  int64_t width = length * numVectors;
  at.ifElse(at.isAtLeast(count, width), [&](bool isWide) {
    if (isWide)
      return at.forEach(0, count, width, [&](Value element) {
        body({at.moveBack(element, count, width), numVectors, {}});
      });
    if (numVectors > 1)
      return forEachStrip(at, count, length, 1, body);
    at.ifTrue(at.isAtLeast(count, 1),
              [&] { body({at.index(0), 1, {0, count}}); });
  });
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void BlockReduction::emit(Value numWindows, const AccumulatorBuffer &suffixes,
                          LoadFn load, StoreFn store) const {
  int64_t stride = dim.getSharingStride();
  // No window of a block begins after it.
  int64_t firstPrefix =
      std::max(getFirstPrefix(dim), (mostWindows - 1) * stride);
  Value last = at.sub(numWindows, 1);
  SmallVector<Accumulator> suffix(numVectors, reduction.getEmpty(at));
  SmallVector<Accumulator> prefix = suffix;
  // Appends `count` positions from `begin` on.
  auto append = [&](SmallVector<Accumulator> &accs, Value begin,
                    int64_t count) {
    auto appendOne = [&](Value position) {
      for (auto [acc, later] : llvm::zip_equal(accs, load(position)))
        acc = reduction.choose(at, acc, later);
    };
    if (count > cost::kMaxStraightStride)
      return at.forEach(begin, at.add(begin, count), 1, accs, appendOne);
    for (int64_t i = 0; i < count; ++i)
      appendOne(at.add(begin, i));
  };
  auto getPlace = [&](Value window, int64_t vector) -> SmallVector<Value> {
    return {window, at.index(vector * reduction.getLength())};
  };
  auto storeSuffix = [&](Value window) {
    for (auto [i, acc] : llvm::enumerate(suffix))
      suffixes.store(at, acc, getPlace(window, i));
  };

  if (firstPrefix > 0) {
    at.forEach(at.mul(last, stride), firstPrefix, 1, suffix,
               [&](Value position) { append(suffix, position, 1); });
    storeSuffix(last);
    at.forEach(0, last, 1, suffix, [&](Value i) {
      Value window = at.sub(at.sub(last, 1), i);
      append(suffix, at.mul(window, stride), stride);
      storeSuffix(window);
    });
  }

  auto emitWindow = [&](Value window, int64_t numNew) {
    append(prefix, at.add(at.mul(window, stride), dim.kernel - numNew), numNew);
    SmallVector<Accumulator> results = prefix;
    if (firstPrefix > 0)
      for (auto [i, acc] : llvm::enumerate(results))
        acc = reduction.choose(
            at, suffixes.load(at, reduction, getPlace(window, i)), acc);
    store(window, results);
  };
  int64_t first = 0;
  // The prefix of the first window may be shorter.
  if (dim.kernel - firstPrefix < std::min(stride, dim.kernel))
    emitWindow(at.index(first++), dim.kernel - firstPrefix);
  at.forEach(first, numWindows, 1, prefix, [&](Value window) {
    emitWindow(window, std::min(stride, dim.kernel));
  });
}
