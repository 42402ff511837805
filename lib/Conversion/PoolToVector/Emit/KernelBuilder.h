// Builds the parts of every kernel: index arithmetic, loops and branches,
// and pool.on_buffers around it. No other file of PoolToVector creates
// operations of the scf dialect. Includes the dialects that kernels consist of.
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

/// One accumulator per lane. `index`: argmax, a non-negative integer that names
/// the chosen element, or the high word of a 128-bit sum; null if neither.
struct Accumulator {
  Value value;
  Value index;
};

/// The positions `begin`, `begin + step` and so on below `end` of a dimension.
struct PositionRange {
  Operand begin, end;
  int64_t step = 1;
};

/// Returns `position` with the coordinates `last` behind its own.
inline SmallVector<Value> append(ValueRange position, ValueRange last) {
  SmallVector<Value> result(position);
  llvm::append_range(result, last);
  return result;
}

/// Returns the result of `get` for each of `length` lanes, from the first one
/// on.
inline SmallVector<int64_t> mapLanes(int64_t length,
                                     function_ref<int64_t(int64_t)> get) {
  return llvm::map_to_vector(llvm::seq(length), get);
}

/// Variables that a loop hands from one iteration to the next. The body reads
/// their values in its iteration, and writes those for the next iteration.
/// After the loop they have the results.
class LoopState {
public:
  LoopState() = default;
  LoopState(Value &value) : values({&value}) {}
  LoopState(Accumulator &acc) { add(acc); }
  /// A range of values or accumulators.
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

/// Builds at an insertion point of its own, so a kernel has one builder, which
/// all parts refer to. A loop or a branch calls its body with the insertion
/// point inside, and leaves it behind the loop or the branch.
class KernelBuilder : public ElementBuilder {
public:
  KernelBuilder(const OpBuilder &b, Location loc, const Target &target)
      : ElementBuilder(b, loc), target(target) {}
  KernelBuilder(const KernelBuilder &) = delete;

  /// The machine that the kernel is for.
  const Target &target;

  /// Returns where a step of `width` elements starts that would start at
  /// `first` but must end at or before `end`. Requires that `first < end`, and
  /// that `first` is a multiple of `width`. The result is negative if `end <
  /// width`, unless `end` is a known multiple of `width`.
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
  /// Returns the extents of `buffer`.
  SmallVector<Value> getExtents(Value buffer) {
    return value(memref::getMixedSizes(*this, getLoc(), buffer));
  }
  /// Allocates a buffer that begins at a multiple of the longest vector.
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

  /// A loop over `begin`, `begin + step`, ... below `end`. Straight code if it
  /// is known to have at most one iteration.
  void forEach(Operand begin, Operand end, int64_t step,
               const LoopState &carried, LoopBody body);
  void forEach(Operand begin, Operand end, int64_t step, LoopBody body) {
    forEach(begin, end, step, {}, body);
  }
  /// Nested loops over the positions of `ranges`, the last one innermost.
  /// `body` takes these behind the coordinates `outer`.
  void forEachIn(ArrayRef<PositionRange> ranges, const LoopState &carried,
                 NestBody body, ValueRange outer = {});
  /// A parallel loop over the box [0, upper). Calls `body` once, without a
  /// loop, if the box has no dimensions.
  void forEachParallel(ValueRange upper, NestBody body);
  /// A parallel loop over the box [0, upper) whose iterations each take
  /// `numTogether` positions of the last dimension, one after the other.
  /// `begin` runs once for each iteration, before the first position; it
  /// allocates a buffer, for example, which takes as long as one position.
  void forEachTogether(SmallVector<Value> upper, int64_t numTogether,
                       function_ref<void()> begin, NestBody body);

  //===--------------------------------------------------------------------===//
  // Branches. Conditions fold if they are known.
  //===--------------------------------------------------------------------===//

  /// Builds `body` twice: for the case that `condition` holds, and for the case
  /// that it does not. A null condition holds. `body` may change `carried`:
  /// after the branch it has the values of the side that ran.
  void ifElse(Value condition, const LoopState &carried,
              function_ref<void(bool inThen)> body);
  void ifElse(Value condition, function_ref<void(bool inThen)> body) {
    ifElse(condition, {}, body);
  }
  /// Runs `body`, which may change `carried`, if `condition` holds.
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
// Where buffers lie in memory
//===----------------------------------------------------------------------===//

/// Bytes of an element of `buffer`.
inline int64_t getElementBytes(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getElementTypeBitWidth() / 8;
}

/// Emits a test that `buffer` is packed and begins at a multiple of `numBytes`.
inline Value isAlignedTo(KernelBuilder &b, Value buffer, int64_t numBytes) {
  if (!cast<MemRefType>(buffer.getType()).getLayout().isIdentity())
    return arith::ConstantIntOp::create(b, 0, 1);
  Value begin = memref::ExtractAlignedPointerAsIndexOp::create(b, buffer);
  return b.isEqual(b.rem(begin, numBytes), 0);
}

/// `buffer` with its dimensions from `dim` on as one; null where it is not
/// packed, or known to be empty.
inline Value collapseFrom(KernelBuilder &b, Value buffer, int64_t dim) {
  auto type = cast<MemRefType>(buffer.getType());
  // Upstream has no type for an extent of 0 beside one that is not known.
  if (!type.getLayout().isIdentity() || llvm::is_contained(type.getShape(), 0))
    return {};
  SmallVector<ReassociationIndices> groups(dim + 1);
  for (int64_t i = 0; i < type.getRank(); ++i)
    groups[std::min(i, dim)].push_back(i);
  return b.createOrFold<memref::CollapseShapeOp>(buffer, groups);
}

/// The number of the element at `position` of a packed buffer with `extents`.
inline Value getElementNumber(KernelBuilder &b, ArrayRef<Value> extents,
                              ArrayRef<Value> position) {
  Value element = position[0];
  for (unsigned dim = 1; dim < extents.size(); ++dim)
    element = b.add(b.mul(element, extents[dim]), position[dim]);
  return element;
}

/// Returns the element `distance` after the element at `position` of a packed
/// buffer with `extents`. It is moved back so that `reach` elements follow,
/// itself included, or to the first element if there are too few.
inline Value getElementAhead(KernelBuilder &b, ArrayRef<Value> extents,
                             ArrayRef<Value> position, int64_t distance,
                             Value reach) {
  Value element = getElementNumber(b, extents, position);
  return b.min(b.add(element, distance),
               b.max(b.sub(b.product(extents), reach), 0));
}

/// Fetches the cache line of an element of a buffer into `cache`, a locality
/// hint.
inline void prefetchElement(KernelBuilder &b, Value buffer,
                            ArrayRef<Value> position, unsigned cache) {
  memref::PrefetchOp::create(b, buffer, position, /*isWrite=*/false, cache,
                             /*isDataCache=*/true);
}

//===----------------------------------------------------------------------===//
// Kernels, which read and write buffers, between tensors
//===----------------------------------------------------------------------===//

/// True if `tensor` becomes a view of a larger buffer, with consecutive
/// elements in its last dimension alone.
bool isSlice(Value tensor);

/// Creates pool.on_buffers, whose body `emit` builds at the insertion point of
/// `b`, from buffers of the inputs into buffers of the outputs. The results of
/// the operation will replace `results`, one for each of `outs`. If one of
/// these is inserted into a tensor, its buffer is a slice, unless
/// `needPackedOutputs`.
OnBuffersOp
createOnBuffers(RewriterBase &b, Location loc, ValueRange inputs,
                ValueRange outs, ValueRange results, bool needPackedOutputs,
                function_ref<void(ValueRange inputs, ValueRange outputs)> emit);

/// Creates a tensor of `shape`. `fill` emits loads from the buffers of `inputs`
/// and stores to the buffer of the tensor, unless this is known to be empty.
Value writeToBuffer(RewriterBase &b, Location loc, ValueRange inputs,
                    ArrayRef<OpFoldResult> shape, Type elementType,
                    function_ref<void(ValueRange inputs, Value target)> fill);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_KERNELBUILDER_H
