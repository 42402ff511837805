// Emits loops, branches and pool.on_buffers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/KernelBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void KernelBuilder::forEach(Operand begin, Operand end, int64_t step,
                            const LoopState &carried, LoopBody body) {
  std::optional<int64_t> first = begin.getKnown(), last = end.getKnown();
  if (first && last && *first >= *last - step) {
    if (*first < *last)
      body(index(begin));
    return;
  }
  Value from = index(begin), to = index(end);
  // If `end` is `begin + step`, there is one iteration, whatever `begin` is.
  auto sum = to.getDefiningOp<arith::AddIOp>();
  if (sum && sum.getLhs() == from && getConstantIntValue(sum.getRhs()) == step)
    return body(from);
  auto loop = scf::ForOp::create(*this, from, to, index(step), carried.get());
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  carried.set(loop.getRegionIterArgs());
  body(loop.getInductionVar());
  // If there are no results, scf.for was created with a terminator.
  if (!carried.empty())
    scf::YieldOp::create(*this, carried.get());
  carried.set(loop.getResults());
}

void KernelBuilder::forEachIn(ArrayRef<PositionRange> ranges,
                              const LoopState &carried, NestBody body,
                              ValueRange outer) {
  if (ranges.empty())
    return body(outer);
  auto [begin, end, step] = ranges.front();
  forEach(begin, end, step, carried, [&](Value here) {
    forEachIn(ranges.drop_front(), carried, body, append(outer, here));
  });
}

void KernelBuilder::forEachParallel(ValueRange upper, NestBody body) {
  if (upper.empty())
    return body({});
  SmallVector<Value> lower(upper.size(), index(0));
  SmallVector<Value> steps(upper.size(), index(1));
  auto loops = scf::ParallelOp::create(*this, lower, upper, steps);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(loops.getBody());
  body(loops.getInductionVars());
}

void KernelBuilder::forEachTogether(SmallVector<Value> upper,
                                    int64_t numTogether,
                                    function_ref<void()> begin, NestBody body) {
  Value last;
  if (!upper.empty()) {
    last = upper.back();
    upper.back() = ceilDiv(last, numTogether);
  }
  forEachParallel(upper, [&](ValueRange group) {
    begin();
    if (!last || numTogether == 1)
      return body(group);
    SmallVector<Value> position(group);
    Value first = mul(position.back(), numTogether);
    forEach(first, min(add(first, numTogether), last), 1, [&](Value here) {
      position.back() = here;
      body(position);
    });
  });
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

void KernelBuilder::ifElse(Value condition, const LoopState &carried,
                           function_ref<void(bool inThen)> body) {
  if (!condition)
    return body(true);
  if (std::optional<int64_t> inThen = getConstantIntValue(condition))
    return body(*inThen);
  SmallVector<Value> before = carried.get();
  auto branch =
      scf::IfOp::create(*this, ValueRange(before).getTypes(), condition,
                        /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(*this);
  for (bool inThen : {true, false}) {
    setInsertionPointToStart(inThen ? branch.thenBlock() : branch.elseBlock());
    carried.set(before);
    body(inThen);
    // If there are no results, scf.if was created with terminators.
    if (!carried.empty())
      scf::YieldOp::create(*this, carried.get());
  }
  carried.set(branch.getResults());
}

//===----------------------------------------------------------------------===//
// Buffers of tensors
//===----------------------------------------------------------------------===//

static bool hasUnitStride(ArrayRef<OpFoldResult> strides) {
  return !strides.empty() && isConstantIntValue(strides.back(), 1);
}

bool pool::isSlice(Value tensor) {
  if (auto cast = tensor.getDefiningOp<tensor::CastOp>())
    return isa<RankedTensorType>(cast.getSource().getType()) &&
           isSlice(cast.getSource());
  auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>();
  return slice && slice.getType().getRank() > 0 &&
         hasUnitStride(slice.getMixedStrides());
}

/// True if tensor.insert_slice or tensor.parallel_insert_slice inserts
/// `tensor`, or a cast of it, into another tensor, with unit stride in the last
/// dimension.
static bool isInserted(Value tensor) {
  return llvm::any_of(tensor.getUsers(), [&](Operation *user) {
    if (auto cast = dyn_cast<tensor::CastOp>(user))
      return isInserted(cast.getDest());
    if (!isa<tensor::InsertSliceOp, tensor::ParallelInsertSliceOp>(user))
      return false;
    auto insert = cast<OffsetSizeAndStrideOpInterface>(user);
    return insert->getOperand(0) == tensor &&
           hasUnitStride(insert.getMixedStrides());
  });
}

/// Returns the type of a buffer of `tensor`. If `isPacked`, or if the rank is
/// 0, the buffer is contiguous. Otherwise its last stride is 1, and its offset
/// and other strides are unknown.
static MemRefType getBufferType(Value tensor, bool isPacked) {
  auto type = cast<RankedTensorType>(tensor.getType());
  MemRefLayoutAttrInterface layout;
  if (!isPacked && type.getRank() > 0) {
    SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
    strides.back() = 1;
    layout = StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic,
                                    strides);
  }
  return MemRefType::get(type.getShape(), type.getElementType(), layout);
}

OnBuffersOp
pool::createOnBuffers(RewriterBase &b, Location loc, ValueRange inputs,
                      ValueRange outs, ValueRange results,
                      bool needPackedOutputs,
                      function_ref<void(ValueRange, ValueRange)> emit) {
  SmallVector<Type> buffers;
  for (Value input : inputs)
    buffers.push_back(getBufferType(input, !isSlice(input)));
  for (auto [out, result] : llvm::zip_equal(outs, results))
    buffers.push_back(getBufferType(
        out, needPackedOutputs || !(isSlice(out) || isInserted(result))));
  auto op = OnBuffersOp::create(b, loc, inputs, outs, buffers);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(op.getBody());
  ValueRange arguments = op.getBody()->getArguments();
  emit(arguments.take_front(inputs.size()),
       arguments.drop_front(inputs.size()));
  return op;
}

Value pool::writeToBuffer(
    RewriterBase &b, Location loc, ValueRange inputs,
    ArrayRef<OpFoldResult> shape, Type elementType,
    function_ref<void(ValueRange inputs, Value target)> fill) {
  Value empty = tensor::EmptyOp::create(b, loc, shape, elementType);
  auto type = cast<RankedTensorType>(empty.getType());
  if (llvm::is_contained(type.getShape(), 0))
    return empty;
  return createOnBuffers(b, loc, inputs, empty, empty,
                         /*needPackedOutputs=*/true,
                         [&](ValueRange buffers, ValueRange targets) {
                           fill(buffers, targets[0]);
                         })
      .getResult(0);
}
