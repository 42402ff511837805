// Interprets max_unpool and the gradients exactly as the semantics define them:
// elements are written or added, one after the other, to a tensor of zeros.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluators.h"
#include "Windows.h"

#include "pool/Dialect/Pool/IR/ScatterInference.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::reference;
using llvm::formatv;

static RankedTensorType getTensorType(const Tensor &tensor) {
  return RankedTensorType::get(tensor.shape, tensor.elementType);
}

/// Returns the extents of a result of `type`. `operands` has the values of its
/// dynamic extents, in order. Fails if one of them is negative.
static FailureOr<SmallVector<int64_t>>
getShape(ErrorFn emitError, RankedTensorType type, Operands operands) {
  SmallVector<int64_t> shape(type.getShape());
  for (auto [d, extent] : llvm::enumerate(shape)) {
    if (!ShapedType::isDynamic(extent))
      continue;
    const Tensor &operand = *operands.front();
    operands = operands.drop_front();
    extent = static_cast<int64_t>(
        ElementFormat::get(operand.elementType)->load<Wide>(operand, 0));
    if (extent < 0)
      return emitError(formatv("dimension {0}: the extent of the result is "
                               "{1}, must be at least 0",
                               d, extent));
  }
  return shape;
}

/// Returns a row-major position in a tensor of `shape` for each element of
/// `indices`. An index counts over the dimensions from `axis` on. In the
/// dimensions before `axis`, the position has the same coordinates as the
/// element of `indices`. Fails if an index is out of bounds.
static FailureOr<SmallVector<int64_t>> getPositions(ErrorFn emitError,
                                                    const Tensor &indices,
                                                    int64_t axis,
                                                    ArrayRef<int64_t> shape) {
  ElementFormat format = *ElementFormat::get(indices.elementType);
  auto bound = static_cast<int64_t>(*getProduct(shape.drop_front(axis)));
  SmallVector<int64_t> positions;
  auto add = [&](ArrayRef<int64_t> element) -> LogicalResult {
    auto index =
        static_cast<int64_t>(format.load<Wide>(indices, positions.size()));
    if (index < 0 || index >= bound)
      return emitError(
          formatv("the index at [{0:$[, ]}] is {1}, must be at least 0 and "
                  "below {2}, the number of positions from axis {3} on",
                  llvm::make_range(element.begin(), element.end()), index,
                  bound, axis));
    int64_t row = flatten(element.take_front(axis), shape.take_front(axis));
    positions.push_back(row * bound + index);
    return success();
  };
  if (failed(visitIndices(indices.shape, add)))
    return failure();
  return positions;
}

//===----------------------------------------------------------------------===//
// max_unpool
//===----------------------------------------------------------------------===//

Results reference::evaluate(MaxUnpoolOp op, Operands operands) {
  OpErrors emitError{op};
  const Tensor &values = *operands[0], &indices = *operands[1];
  RankedTensorType type = op.getOutput().getType();
  FailureOr<SmallVector<int64_t>> shape =
      getShape(emitError, type, operands.drop_front(2));
  if (failed(shape) ||
      failed(verifyMaxUnpool(
          emitError, getTensorType(values), getTensorType(indices),
          /*numDynamicExtents=*/0, op.getAxis(), type.clone(*shape))))
    return failure();
  Results output = allocateResults(op, *shape);
  if (failed(output))
    return failure();
  FailureOr<SmallVector<int64_t>> positions =
      getPositions(emitError, indices, op.getNormalizedAxis(), *shape);
  if (failed(positions))
    return failure();

  // All other elements are zero already, because allocateResults sets them.
  int64_t bytes = ElementFormat::get(values.elementType)->getBytes();
  for (auto [i, position] : llvm::enumerate(*positions))
    std::memcpy(output->front().data.data() + position * bytes,
                values.data.data() + i * bytes, bytes);
  return output;
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

namespace {
/// Adds up a sum in f64 for each element of a tensor.
class Accumulator {
public:
  static FailureOr<Accumulator> get(ErrorFn emitError, RankedTensorType type) {
    FailureOr<Tensor> sums = allocate(
        emitError, Float64Type::get(type.getContext()), type.getShape());
    if (failed(sums))
      return failure();
    return Accumulator(std::move(*sums));
  }

  void add(int64_t position, double addend) {
    format.store<double>(sums, position,
                         format.load<double>(sums, position) + addend);
  }

  /// Returns the sums, each rounded once to the element type of the result of
  /// `op`.
  Results round(Operation *op) const {
    Results result = allocateResults(op, sums.shape);
    if (failed(result))
      return failure();
    Tensor &rounded = result->front();
    ElementFormat resultFormat = *ElementFormat::get(rounded.elementType);
    for (int64_t i = 0, e = sums.getNumElements(); i < e; ++i)
      resultFormat.store<double>(rounded, i, format.load<double>(sums, i));
    return result;
  }

private:
  explicit Accumulator(Tensor sums)
      : sums(std::move(sums)),
        format(*ElementFormat::get(this->sums.elementType)) {}

  Tensor sums;
  ElementFormat format;
};
} // namespace

Results reference::evaluate(ExtremumGradOpInterface op, Operands operands) {
  OpErrors emitError{op};
  const Tensor &input = *operands[0], &outputGrad = *operands[1];
  RankedTensorType type = getTensorType(input);
  TensorType indicesType;
  if (op.getIndices())
    indicesType = getTensorType(*operands[2]);
  if (failed(verifyExtremumGrad(emitError, type, getTensorType(outputGrad),
                                indicesType, op.getWindow(), op.getReduction(),
                                op.getAxis(), type)))
    return failure();
  SmallVector<int64_t> given;
  if (op.getIndices()) {
    FailureOr<SmallVector<int64_t>> positions = getPositions(
        emitError, *operands[2], op.getNormalizedAxis(), input.shape);
    if (failed(positions))
      return failure();
    given = std::move(*positions);
  }

  ElementFormat format = *ElementFormat::get(input.elementType);
  Windows windows(op.getWindow(), input.shape);
  FailureOr<Accumulator> sums = Accumulator::get(emitError, type);
  if (failed(sums))
    return failure();
  int64_t element = 0;
  forEachIndex(outputGrad.shape, [&](ArrayRef<int64_t> output) {
    Extremum<double> extremum(format, op.getReduction(), op.getNanMode());
    windows.forEachElement(output, [&](int64_t position) {
      extremum.visit(position, format.load<double>(input, position));
    });
    // A window that contains only padding adds nothing, whatever its index is.
    if (std::optional<int64_t> position = extremum.getPosition())
      sums->add(op.getIndices() ? given[element] : *position,
                format.load<double>(outputGrad, element));
    ++element;
  });
  return sums->round(op);
}

Results reference::evaluate(AvgPoolGradOp op, Operands operands) {
  OpErrors emitError{op};
  const Tensor &outputGrad = *operands[0];
  FailureOr<SmallVector<int64_t>> shape =
      getShape(emitError, op.getInputGrad().getType(), operands.drop_front());
  if (failed(shape))
    return failure();
  RankedTensorType type = op.getInputGrad().getType().clone(*shape);
  // This does not check Average.C3 (every window counts an element), because
  // that constraint is only for static extents.
  if (failed(verifyAvgPoolGrad(emitError, getTensorType(outputGrad),
                               /*numDynamicExtents=*/0, op.getWindow(),
                               op.getModes(), type)))
    return failure();

  ElementFormat format = *ElementFormat::get(type.getElementType());
  Windows windows(op.getWindow(), *shape);
  FailureOr<Accumulator> sums = Accumulator::get(emitError, type);
  if (failed(sums))
    return failure();
  int64_t element = 0;
  forEachIndex(outputGrad.shape, [&](ArrayRef<int64_t> output) {
    // The attribute may be negative. Its accessor returns an unsigned number,
    // so convert it to int64_t.
    int64_t divisor = op.getDivisorOverride().value_or(
        windows.getCount(op.getDivisor(), output));
    double share = format.load<double>(outputGrad, element++) /
                   static_cast<double>(divisor);
    windows.forEachElement(
        output, [&](int64_t position) { sums->add(position, share); });
  });
  return sums->round(op);
}

Results reference::evaluate(LargestIndexOp op, Operands operands) {
  const Tensor &indices = *operands[0];
  ElementFormat format = *ElementFormat::get(indices.elementType);
  uint64_t largest = 0;
  for (int64_t i = 0, e = *getProduct(indices.shape); i < e; ++i)
    largest =
        std::max(largest, static_cast<uint64_t>(format.load<Wide>(indices, i)));
  return makeIndex(op, static_cast<int64_t>(largest));
}
