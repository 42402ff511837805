// Builds the parts of every kernel. (A kernel is the code that one pooling
// operation becomes.) These parts are index arithmetic, loops and branches, and
// the operation pool.on_buffers around the code. No other file of PoolToVector
// creates operations of the scf dialect. This header also includes the dialects
// that kernels consist of.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_KERNELBUILDER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_KERNELBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/ElementBuilder.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

/// A vector of partial results: each lane accumulates the elements of one
/// window. `value` is null before the first element. With an argmax, each lane
/// of `index` identifies the element that is chosen so far. For sums of 128
/// bits, `index` has their upper 64 bits. In all other reductions, `index` is
/// null.
struct Accumulator {
  Value value;
  Value index;
};

/// The positions `begin`, `begin + step`, `begin + 2 * step`, ... below `end`,
/// in one dimension.
struct PositionRange {
  Operand begin, end;
  int64_t step = 1;
};

/// Returns the coordinates of `position`, followed by those of `last`.
inline SmallVector<Value> append(ValueRange position, ValueRange last) {
  SmallVector<Value> result(position);
  llvm::append_range(result, last);
  return result;
}

/// Returns `get(lane)` for each lane from 0 to `length - 1`.
inline SmallVector<int64_t> mapLanes(int64_t length,
                                     function_ref<int64_t(int64_t)> get) {
  return llvm::map_to_vector(llvm::seq(length), get);
}

/// The loop-carried values of a loop, held in C++ variables of type Value. A
/// LoopState refers to these variables, which must outlive it. Before the loop,
/// a variable holds the initial value, which must not be null. While the body
/// is emitted, it holds the value of the current iteration, and the body
/// assigns the value for the next iteration. After the loop, it holds the
/// result:
///
///   Value sum = zero;
///   b.forEach(0, n, 1, sum, [&](Value i) { sum = b.add(sum, load(i)); });
class LoopState {
public:
  LoopState() = default;
  LoopState(Value &value) : values({&value}) {}
  /// An index that is null is not carried.
  LoopState(Accumulator &acc) { add(acc); }
  /// Refers to all values or accumulators of `range`.
  template <typename RangeT>
  LoopState(RangeT &range) {
    for (auto &variable : range)
      add(variable);
  }

  bool empty() const { return values.empty(); }
  SmallVector<Value> get() const {
    return llvm::map_to_vector(values, [](Value *value) { return *value; });
  }
  void set(ValueRange results) const {
    for (auto [value, result] : llvm::zip_equal(values, results))
      *value = result;
  }

private:
  void add(Value &value) { values.push_back(&value); }
  void add(Accumulator &acc) {
    add(acc.value);
    if (acc.index)
      add(acc.index);
  }

  SmallVector<Value *> values;
};

/// Builder of one kernel. All emitters of the kernel share it by reference,
/// because it holds the insertion point. A function that creates a loop or a
/// branch calls `body` with the insertion point inside. When the function
/// returns, the insertion point is after the loop or branch.
class KernelBuilder : public ElementBuilder {
public:
  KernelBuilder(const OpBuilder &b, Location loc, const Target &target)
      : ElementBuilder(b, loc), target(target) {}
  KernelBuilder(const KernelBuilder &) = delete;

  /// The machine that the kernel will run on.
  const Target &target;

  /// For a loop whose iterations compute `width` elements each, and must not
  /// pass `end`. Returns the first element of the iteration at `first`: `first`
  /// itself, or `end - width` if the iteration would pass `end`. So the last
  /// iteration may repeat elements of the one before: with width 4 and end 10,
  /// iterations compute elements 0 to 3, 4 to 7 and 6 to 9. Requires that
  /// `first` is less than `end` and a multiple of `width`. The result is
  /// negative if `end < width`.
  Value moveBack(Value first, Value end, int64_t width) {
    bool isMultiple = getConstantIntValue(end).value_or(1) % width == 0;
    return isMultiple ? first : min(first, sub(end, width));
  }

  //===--------------------------------------------------------------------===//
  // Vectors, and elements
  //===--------------------------------------------------------------------===//

  using ElementBuilder::constant;
  template <typename Elements>
  Value constant(VectorType type, Elements elements) {
    return constant(DenseElementsAttr::get(type, elements));
  }
  Value lanes(VectorType type, function_ref<int64_t(int64_t lane)> get) {
    SmallVector<Attribute> elements;
    for (int64_t integer : mapLanes(type.getNumElements(), get))
      elements.push_back(getIntegerAttr(type.getElementType(), integer));
    return constant(type, elements);
  }
  Value broadcast(Type type, Value value) {
    return createOrFold<vector::BroadcastOp>(type, value);
  }
  Value shuffle(Value lhs, Value rhs, ArrayRef<int64_t> lanes) {
    return createOrFold<vector::ShuffleOp>(lhs, rhs, lanes);
  }
  /// Returns the extents of `buffer`, as values of type index.
  SmallVector<Value> getExtents(Value buffer) {
    return value(memref::getMixedSizes(*this, getLoc(), buffer));
  }
  /// Emits the allocation of a buffer, and returns the buffer. It is aligned to
  /// 64 bytes, the size of the longest vector. A later pass inserts its
  /// deallocation.
  Value allocate(ArrayRef<Value> extents, Type element) {
    auto buffer =
        memref::AllocOp::create(*this, getAsOpFoldResult(extents), element);
    buffer.setAlignment(64);
    return buffer;
  }
  Value load(VectorType type, Value buffer, ValueRange indices) {
    return vector::LoadOp::create(*this, type, buffer, indices);
  }
  Value load(Value buffer, ValueRange indices) {
    return memref::LoadOp::create(*this, buffer, indices);
  }
  void store(Value value, Value buffer, ValueRange indices) {
    if (isa<VectorType>(value.getType()))
      vector::StoreOp::create(*this, value, buffer, indices);
    else
      memref::StoreOp::create(*this, value, buffer, indices);
  }

  //===--------------------------------------------------------------------===//
  // Loops
  //===--------------------------------------------------------------------===//

  using LoopBody = function_ref<void(Value position)>;
  using NestBody = function_ref<void(ValueRange position)>;

  /// Emits a loop over `begin`, `begin + step`, ... below `end`. If the loop is
  /// known to have one iteration, emits `body` without a loop. If it is known
  /// to have no iteration, emits nothing.
  void forEach(Operand begin, Operand end, int64_t step,
               const LoopState &carried, LoopBody body);
  void forEach(Operand begin, Operand end, int64_t step, LoopBody body) {
    forEach(begin, end, step, {}, body);
  }
  /// Emits nested loops over the positions of `ranges`. The last range is the
  /// innermost loop. `body` gets the coordinates `outer`, followed by one
  /// position of each range. Without ranges, emits `body` once, without a loop.
  void forEachIn(ArrayRef<PositionRange> ranges, const LoopState &carried,
                 NestBody body, ValueRange outer = {});
  /// Emits a parallel loop over the box [0, upper). If the box has no
  /// dimensions, emits `body` once, without a loop.
  void forEachParallel(ValueRange upper, NestBody body);
  /// Emits a parallel loop over groups of positions of the box [0, upper). A
  /// group has up to `numTogether` neighbors in the last dimension. One
  /// iteration runs the code of `begin`, and then the code of `body` for each
  /// position of its group, one after the other. `begin` may allocate a buffer,
  /// for example, which would take too long for every single position.
  void forEachTogether(SmallVector<Value> upper, int64_t numTogether,
                       function_ref<void()> begin, NestBody body);

  //===--------------------------------------------------------------------===//
  // Branches. A constant condition creates no branch.
  //===--------------------------------------------------------------------===//

  /// Emits a branch with two sides, by calls of `body(true)` and `body(false)`.
  /// If `condition` is constant, emits only the side that runs, without a
  /// branch. A null condition is true. `body` may assign the variables of
  /// `carried`. After the branch, they hold the values of the side that ran.
  void ifElse(Value condition, const LoopState &carried,
              function_ref<void(bool inThen)> body);
  void ifElse(Value condition, function_ref<void(bool inThen)> body) {
    ifElse(condition, {}, body);
  }
  /// Emits a branch that runs `body` if `condition` is true. Otherwise the
  /// values of `carried` stay the same. Constant and null conditions are as in
  /// ifElse().
  void ifTrue(Value condition, const LoopState &carried,
              function_ref<void()> body) {
    ifElse(condition, carried, [&](bool inThen) {
      if (inThen)
        body();
    });
  }
  void ifTrue(Value condition, function_ref<void()> body) {
    ifTrue(condition, {}, body);
  }
};

inline Value castToSignless(KernelBuilder &b, Value value) {
  return castToSignless(b, b.getLoc(), value);
}
inline Value castFromSignless(KernelBuilder &b, Value value, Type type) {
  return castFromSignless(b, b.getLoc(), value, type);
}

//===----------------------------------------------------------------------===//
// Layouts and addresses of buffers
//===----------------------------------------------------------------------===//

/// Returns the number of bytes of an element of `buffer`.
inline int64_t getElementBytes(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getElementTypeBitWidth() / 8;
}

/// Emits a test whether the address of `buffer` is a multiple of `numBytes`,
/// and returns an i1. Returns false if the type of `buffer` has a layout other
/// than the identity, because there may be gaps between rows.
inline Value isAlignedTo(KernelBuilder &b, Value buffer, int64_t numBytes) {
  if (!cast<MemRefType>(buffer.getType()).getLayout().isIdentity())
    return arith::ConstantIntOp::create(b, 0, 1);
  Value begin = memref::ExtractAlignedPointerAsIndexOp::create(b, buffer);
  return b.isEqual(b.rem(begin, numBytes), 0);
}

/// Returns `buffer` with its dimensions from `dim` on collapsed into one.
/// Returns null if the type of `buffer` has a layout other than the identity,
/// or an extent that is known to be 0.
inline Value collapseFrom(KernelBuilder &b, Value buffer, int64_t dim) {
  auto type = cast<MemRefType>(buffer.getType());
  // memref.collapse_shape has no result type if one extent is 0 and another is
  // unknown.
  if (!type.getLayout().isIdentity() || llvm::is_contained(type.getShape(), 0))
    return {};
  SmallVector<ReassociationIndices> groups(dim + 1);
  for (int64_t i = 0; i < type.getRank(); ++i)
    groups[std::min(i, dim)].push_back(i);
  return b.createOrFold<memref::CollapseShapeOp>(buffer, groups);
}

/// Returns the row-major index of the element at `position` in a contiguous
/// buffer with `extents`. There must be at least one dimension.
inline Value getElementNumber(KernelBuilder &b, ArrayRef<Value> extents,
                              ArrayRef<Value> position) {
  Value element = position[0];
  for (unsigned dim = 1; dim < extents.size(); ++dim)
    element = b.add(b.mul(element, extents[dim]), position[dim]);
  return element;
}

/// Returns the row-major index of the element that is `distance` elements after
/// `position` in a contiguous buffer with `extents`. If fewer than `reach`
/// elements follow from there to the end of the buffer, returns the index of
/// the last `reach` elements. If the buffer has fewer elements, returns 0.
inline Value getElementAhead(KernelBuilder &b, ArrayRef<Value> extents,
                             ArrayRef<Value> position, int64_t distance,
                             Value reach) {
  Value element = getElementNumber(b, extents, position);
  return b.min(b.add(element, distance),
               b.max(b.sub(b.product(extents), reach), 0));
}

/// Emits a prefetch, for reading, of the cache line that contains the element
/// at `position`. `cache` is the locality hint of memref.prefetch: 3 is the
/// nearest cache.
inline void prefetchElement(KernelBuilder &b, Value buffer,
                            ArrayRef<Value> position, unsigned cache) {
  memref::PrefetchOp::create(b, buffer, position, /*isWrite=*/false, cache,
                             /*isDataCache=*/true);
}

//===----------------------------------------------------------------------===//
// Code on buffers, between operations on tensors
//===----------------------------------------------------------------------===//

/// True if `tensor` is a result of tensor.extract_slice with unit stride in the
/// last dimension, or a cast of such a result. Bufferisation makes it a view of
/// a larger buffer: rows are contiguous, but there may be gaps between rows.
/// False for tensors of rank 0.
bool isSlice(Value tensor);

/// Creates pool.on_buffers, an operation on tensors whose body works on their
/// buffers. Calls `emit` with the insertion point of `b` in the body. `emit`
/// must emit code that reads the buffers of `inputs` and writes the buffers of
/// `outs`. The new operation has one result for each of `outs`. The caller must
/// replace `results` by these; this function only reads the users of `results`.
///
/// Buffers may have gaps between rows: of slices, see isSlice(), and of results
/// that are inserted into another tensor. With `needPackedOutputs`, the buffers
/// of `outs` have no gaps.
OnBuffersOp
createOnBuffers(RewriterBase &b, Location loc, ValueRange inputs,
                ValueRange outs, ValueRange results, bool needPackedOutputs,
                function_ref<void(ValueRange inputs, ValueRange outputs)> emit);

/// Returns a new tensor of `shape`. `fill` must emit code that loads from the
/// buffers of `inputs`, and stores every element of `target`, the contiguous
/// buffer of the new tensor. `fill` is not called if an extent of the new
/// tensor is known to be 0.
Value writeToBuffer(RewriterBase &b, Location loc, ValueRange inputs,
                    ArrayRef<OpFoldResult> shape, Type elementType,
                    function_ref<void(ValueRange inputs, Value target)> fill);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_KERNELBUILDER_H
