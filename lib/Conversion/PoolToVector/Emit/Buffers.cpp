// pool.on_buffers and the layouts that its body expects.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/Buffers.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::pool;

static bool hasUnitStride(ArrayRef<OpFoldResult> strides) {
  return !strides.empty() && isConstantIntValue(strides.back(), 1);
}

bool pool::isSlice(Value tensor) {
  while (auto cast = tensor.getDefiningOp<tensor::CastOp>()) {
    if (!isa<RankedTensorType>(cast.getSource().getType()))
      return false;
    tensor = cast.getSource();
  }
  auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>();
  return slice && slice.getType().getRank() > 0 &&
         hasUnitStride(slice.getMixedStrides());
}

/// True if `tensor` is inserted into a larger one.
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

/// The type of a buffer of `tensor`: packed, or with consecutive elements in
/// its last dimension alone.
static MemRefType getBufferType(Value tensor, bool isPacked) {
  auto type = cast<RankedTensorType>(tensor.getType());
  MemRefLayoutAttrInterface layout;
  if (!isPacked && type.getRank() > 0) {
    SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
    strides.back() = 1;
    layout = StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic,
                                    strides);
  }
  return MemRefType::get(type.getShape(), type.getElementType(), layout,
                         /*memorySpace=*/Attribute());
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
