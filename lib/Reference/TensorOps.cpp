// Interprets operations of the tensor dialect, which copy elements and compute
// none.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluators.h"
#include "ScalarOps.h"
#include "Windows.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::reference;
using llvm::formatv;

static int64_t getIndex(OpFoldResult index, Lookup lookup) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return *constant;
  return static_cast<int64_t>(
      Scalar::load(lookup(cast<Value>(index)), 0).integer);
}

SmallVector<int64_t> reference::getIndices(ArrayRef<OpFoldResult> indices,
                                           Lookup lookup) {
  return llvm::map_to_vector(
      indices, [&](OpFoldResult index) { return getIndex(index, lookup); });
}

Results reference::makeIndex(Operation *op, int64_t value) {
  OpErrors emitError{op};
  Type type = IndexType::get(op->getContext());
  FailureOr<Tensor> index = allocate(emitError, type, {});
  if (failed(index))
    return failure();
  ElementFormat::get(type)->store<Wide>(*index, 0, value);
  return SmallVector<Tensor>{std::move(*index)};
}

/// Copies the element at the row-major position `from` of `source` to the
/// row-major position `to` of `dest`. Both tensors must have the same element
/// type.
static void copyElement(const Tensor &source, int64_t from, Tensor &dest,
                        int64_t to) {
  auto bytes =
      static_cast<size_t>(ElementFormat::get(source.elementType)->getBytes());
  std::memcpy(dest.data.data() + to * bytes, source.data.data() + from * bytes,
              bytes);
}

/// Returns the row-major position in `source` of the element with the
/// coordinates `indices`. Emits an error at `op` if a coordinate is out of
/// bounds.
static FailureOr<int64_t> getPosition(Operation *op, const Tensor &source,
                                      Operands indices) {
  int64_t position = 0;
  for (auto [d, index] : llvm::enumerate(indices)) {
    Wide place = Scalar::load(*index, 0).integer;
    if (place < 0 || place >= source.shape[d])
      return op->emitOpError(
          formatv("position {0} of dimension {1}, which has extent {2}",
                  static_cast<int64_t>(place), d, source.shape[d]));
    position = position * source.shape[d] + static_cast<int64_t>(place);
  }
  return position;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

static Results evaluate(tensor::DimOp op, Operands operands, Lookup) {
  const Tensor &source = *operands[0];
  auto d = static_cast<int64_t>(Scalar::load(*operands[1], 0).integer);
  auto rank = static_cast<int64_t>(source.shape.size());
  if (d < 0 || d >= rank)
    return op.emitOpError(
        formatv("dimension {0} of a tensor of rank {1}", d, rank));
  return makeIndex(op, source.shape[d]);
}

static Results evaluate(tensor::CastOp, Operands operands, Lookup) {
  // Needs no check, because Activation::run checks every result against its
  // type.
  return SmallVector<Tensor>{*operands[0]};
}

/// Returns a tensor of zeros for tensor.empty. Any elements would be correct,
/// but zeros are reproducible.
static Results evaluate(tensor::EmptyOp op, Operands, Lookup lookup) {
  return allocateResults(op, getIndices(op.getMixedSizes(), lookup));
}

/// Returns `source` with another shape. Emits an error at `op` if the number of
/// elements differs.
static Results reshape(Operation *op, const Tensor &source,
                       ArrayRef<int64_t> shape) {
  Tensor tensor = source;
  tensor.shape.assign(shape.begin(), shape.end());
  if (tensor.getNumElements() != source.getNumElements())
    return op->emitOpError(formatv("the shape [{0:$[, ]}] holds other than the "
                                   "{1} elements there are",
                                   llvm::make_range(shape.begin(), shape.end()),
                                   source.getNumElements()));
  return SmallVector<Tensor>{std::move(tensor)};
}

static Results evaluate(tensor::CollapseShapeOp op, Operands operands, Lookup) {
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    shape.push_back(1);
    for (int64_t d : group)
      shape.back() *= operands[0]->shape[d];
  }
  return reshape(op, *operands[0], shape);
}

static Results evaluate(tensor::ExpandShapeOp op, Operands operands,
                        Lookup lookup) {
  return reshape(op, *operands[0],
                 getIndices(op.getMixedOutputShape(), lookup));
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static Results evaluate(tensor::ExtractOp op, Operands operands, Lookup) {
  const Tensor &source = *operands[0];
  FailureOr<int64_t> position = getPosition(op, source, operands.drop_front());
  Results element = allocateResults(op, {});
  if (failed(position) || failed(element))
    return failure();
  copyElement(source, *position, element->front(), 0);
  return element;
}

static Results evaluate(tensor::InsertOp op, Operands operands, Lookup) {
  Tensor result = *operands[1];
  FailureOr<int64_t> position = getPosition(op, result, operands.drop_front(2));
  if (failed(position))
    return failure();
  copyElement(*operands[0], 0, result, *position);
  return SmallVector<Tensor>{std::move(result)};
}

static Results evaluate(tensor::FromElementsOp op, Operands operands, Lookup) {
  Results result = allocateResults(op, op.getType().getShape());
  if (failed(result))
    return failure();
  for (auto [i, element] : llvm::enumerate(operands))
    copyElement(*element, 0, result->front(), static_cast<int64_t>(i));
  return result;
}

static Results evaluate(tensor::SplatOp op, Operands operands, Lookup lookup) {
  SmallVector<int64_t> shape(op.getType().getShape());
  auto extents = op.getDynamicSizes().begin();
  for (int64_t &extent : shape)
    if (ShapedType::isDynamic(extent))
      extent = getIndex(OpFoldResult(Value(*extents++)), lookup);
  Results result = allocateResults(op, shape);
  if (failed(result))
    return failure();
  for (int64_t i = 0, e = result->front().getNumElements(); i < e; ++i)
    copyElement(*operands[0], 0, result->front(), i);
  return result;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// A slice of a tensor. Its element `i` is the element `offsets + i * strides`
/// of the tensor.
struct Slice {
  SmallVector<int64_t> offsets, sizes, strides;

  Slice(OffsetSizeAndStrideOpInterface op, Lookup lookup)
      : offsets(getIndices(op.getMixedOffsets(), lookup)),
        sizes(getIndices(op.getMixedSizes(), lookup)),
        strides(getIndices(op.getMixedStrides(), lookup)) {}

  /// Emits an error at `op` if the slice does not lie within a tensor of
  /// `shape`.
  LogicalResult check(Operation *op, ArrayRef<int64_t> shape) const {
    for (auto [d, extent] : llvm::enumerate(shape)) {
      int64_t last = offsets[d] + (sizes[d] - 1) * strides[d];
      if (sizes[d] < 0 || offsets[d] < 0 ||
          (sizes[d] > 0 && (last < 0 || last >= extent)))
        return op->emitOpError(
            formatv("slice of offset {0}, size {1} and stride {2} in dimension "
                    "{3}, which has extent {4}",
                    offsets[d], sizes[d], strides[d], d, extent));
    }
    return success();
  }

  /// Calls `visit` with the row-major position, in a tensor of `shape`, of each
  /// element of the slice, in row-major order.
  void forEachPosition(ArrayRef<int64_t> shape,
                       function_ref<void(int64_t)> visit) const {
    forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
      int64_t position = 0;
      for (auto [d, i] : llvm::enumerate(index))
        position = position * shape[d] + offsets[d] + i * strides[d];
      visit(position);
    });
  }
};

static Results evaluate(tensor::ExtractSliceOp op, Operands operands,
                        Lookup lookup) {
  const Tensor &source = *operands[0];
  Slice slice(op, lookup);
  if (failed(slice.check(op, source.shape)))
    return failure();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<int64_t> shape;
  for (auto [d, size] : llvm::enumerate(slice.sizes))
    if (!dropped.test(d))
      shape.push_back(size);
  Results result = allocateResults(op, shape);
  if (failed(result))
    return failure();
  int64_t next = 0;
  slice.forEachPosition(source.shape, [&](int64_t position) {
    copyElement(source, position, result->front(), next++);
  });
  return result;
}

LogicalResult reference::insertSlice(OffsetSizeAndStrideOpInterface op,
                                     const Tensor &source, Tensor &dest,
                                     Lookup lookup) {
  Slice slice(op, lookup);
  if (failed(slice.check(op, dest.shape)))
    return failure();
  int64_t count = 1;
  for (int64_t size : slice.sizes)
    count *= size;
  if (count != source.getNumElements())
    return op->emitOpError(formatv("inserts {0} elements into a slice of {1}",
                                   source.getNumElements(), count));
  int64_t next = 0;
  slice.forEachPosition(dest.shape, [&](int64_t position) {
    copyElement(source, next++, dest, position);
  });
  return success();
}

static Results evaluate(tensor::InsertSliceOp op, Operands operands,
                        Lookup lookup) {
  Tensor result = *operands[1];
  if (failed(insertSlice(op, *operands[0], result, lookup)))
    return failure();
  return SmallVector<Tensor>{std::move(result)};
}

static Results evaluate(tensor::ConcatOp op, Operands operands, Lookup) {
  auto dim = static_cast<size_t>(op.getDim());
  SmallVector<int64_t> shape = operands[0]->shape;
  shape[dim] = 0;
  for (const Tensor *operand : operands) {
    shape[dim] += operand->shape[dim];
    for (auto [d, extent] : llvm::enumerate(operand->shape))
      if (d != dim && extent != shape[d])
        return op.emitOpError(
            formatv("has operands of extents {0} and {1} in dimension {2}",
                    shape[d], extent, d));
  }
  Results result = allocateResults(op, shape);
  if (failed(result))
    return failure();
  int64_t offset = 0;
  for (const Tensor *operand : operands) {
    int64_t next = 0;
    forEachIndex(operand->shape, [&](ArrayRef<int64_t> index) {
      SmallVector<int64_t> target(index);
      target[dim] += offset;
      copyElement(*operand, next++, result->front(), flatten(target, shape));
    });
    offset += operand->shape[dim];
  }
  return result;
}

static Results evaluate(tensor::PadOp op, Operands operands, Lookup lookup) {
  const Tensor &source = *operands[0];
  Value value = op.getConstantPaddingValue();
  if (!value)
    return op.emitOpError("has padding that depends on the position, which the "
                          "reference interpreter does not support");
  SmallVector<int64_t> shape = source.shape, low;
  for (auto [d, before, after] :
       llvm::enumerate(op.getMixedLowPad(), op.getMixedHighPad())) {
    low.push_back(getIndex(before, lookup));
    int64_t high = getIndex(after, lookup);
    if (low.back() < 0 || high < 0)
      return op.emitOpError(
          formatv("pads dimension {0} by {1} and {2}", d, low.back(), high));
    shape[d] += low.back() + high;
  }
  Results result = allocateResults(op, shape);
  if (failed(result))
    return failure();
  // The interpreter does not run the region of this operation, so a constant
  // inside has no value yet.
  Operation *constant = value.getDefiningOp();
  Scalar padding;
  if (constant && constant->getParentOp() == op) {
    FailureOr<Scalar> scalar = evaluateScalar(constant, {});
    if (failed(scalar))
      return failure();
    padding = *scalar;
  } else {
    padding = Scalar::load(lookup(value), 0);
  }
  for (int64_t i = 0, e = result->front().getNumElements(); i < e; ++i)
    padding.store(result->front(), i);
  int64_t next = 0;
  forEachIndex(source.shape, [&](ArrayRef<int64_t> index) {
    SmallVector<int64_t> target;
    for (auto [i, before] : llvm::zip_equal(index, low))
      target.push_back(i + before);
    copyElement(source, next++, result->front(), flatten(target, shape));
  });
  return result;
}

std::optional<Results>
reference::evaluateTensorOp(Operation *op, Operands operands, Lookup lookup) {
  using Optional = std::optional<Results>;
  return llvm::TypeSwitch<Operation *, Optional>(op)
      .Case<tensor::CastOp, tensor::CollapseShapeOp, tensor::ConcatOp,
            tensor::DimOp, tensor::EmptyOp, tensor::ExpandShapeOp,
            tensor::ExtractOp, tensor::ExtractSliceOp, tensor::FromElementsOp,
            tensor::InsertOp, tensor::InsertSliceOp, tensor::PadOp,
            tensor::SplatOp>([&](auto tensorOp) -> Optional {
        return ::evaluate(tensorOp, operands, lookup);
      })
      .Default(std::nullopt);
}
