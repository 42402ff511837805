// Interprets linalg operations on tensors, point by point of the iteration
// space.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluators.h"
#include "ScalarOps.h"
#include "Windows.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::reference;
using llvm::formatv;

/// Returns the extent of each loop. It is the extent of every operand dimension
/// whose map result is the index of that loop. Fails if these extents differ,
/// or if there is no such dimension.
static FailureOr<SmallVector<int64_t>> getLoopExtents(linalg::LinalgOp op,
                                                      Operands operands) {
  SmallVector<int64_t> extents(op.getNumLoops(), -1);
  for (auto [map, tensor] :
       llvm::zip_equal(op.getIndexingMapsArray(), operands))
    for (auto [d, expr] : llvm::enumerate(map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        continue;
      int64_t &extent = extents[dim.getPosition()];
      if (extent >= 0 && extent != tensor->shape[d])
        return op->emitOpError(
            formatv("loop {0} has extents {1} and {2} of its operands",
                    dim.getPosition(), extent, tensor->shape[d]));
      extent = tensor->shape[d];
    }
  for (auto [loop, extent] : llvm::enumerate(extents))
    if (extent < 0)
      return op->emitOpError(
          formatv("no operand names the extent of loop {0}", loop));
  return extents;
}

/// Returns the row-major position in `tensor` that `map` computes from `point`.
/// Returns none if it lies outside `tensor`.
static std::optional<int64_t> locate(AffineMap map, ArrayRef<int64_t> point,
                                     const Tensor &tensor) {
  int64_t position = 0;
  for (auto [place, extent] :
       llvm::zip_equal(map.compose(point), tensor.shape)) {
    if (place < 0 || place >= extent)
      return std::nullopt;
    position = position * extent + place;
  }
  return position;
}

/// Returns the value of the scalar `value`: from `values` if it is there,
/// otherwise from `lookup`, because it was computed outside the body.
static Scalar getScalar(Value value, const DenseMap<Value, Scalar> &values,
                        Lookup lookup) {
  auto known = values.find(value);
  return known != values.end() ? known->second : Scalar::load(lookup(value), 0);
}

/// Runs the body once, at `point`. On entry, `values` must have the values of
/// the body's arguments. Adds the results of the body's operations to `values`.
static LogicalResult runBody(linalg::LinalgOp op, ArrayRef<int64_t> point,
                             DenseMap<Value, Scalar> &values, Lookup lookup) {
  Block &body = *op.getBlock();
  for (Operation &nested : body.without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(nested)) {
      values[index] = {index.getType(), point[index.getDim()]};
      continue;
    }
    SmallVector<Scalar> operands;
    for (Value operand : nested.getOperands())
      operands.push_back(getScalar(operand, values, lookup));
    FailureOr<Scalar> result = evaluateScalar(&nested, operands);
    if (failed(result))
      return failure();
    values[nested.getResult(0)] = *result;
  }
  return success();
}

Results reference::evaluate(linalg::LinalgOp op, Operands operands,
                            Lookup lookup) {
  Block &body = *op.getBlock();
  for (Operation &nested : body.without_terminator())
    if (!isa<linalg::IndexOp>(nested) && !isScalarOp(&nested))
      return nested.emitOpError(
          "is not supported by the reference interpreter");
  FailureOr<SmallVector<int64_t>> extents = getLoopExtents(op, operands);
  if (failed(extents))
    return failure();

  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  int64_t numInputs = op.getNumDpsInputs();
  SmallVector<Tensor> results;
  for (const Tensor *init : operands.drop_front(numInputs))
    results.push_back(*init);
  auto run = [&](ArrayRef<int64_t> point) -> LogicalResult {
    DenseMap<Value, Scalar> values;
    SmallVector<int64_t> positions;
    for (auto [i, argument] : llvm::enumerate(body.getArguments())) {
      // An output contains the result of the points before this one.
      int64_t output = static_cast<int64_t>(i) - numInputs;
      const Tensor &tensor = output < 0 ? *operands[i] : results[output];
      std::optional<int64_t> position = locate(maps[i], point, tensor);
      if (!position)
        return op->emitOpError(
            formatv("reads outside operand {0} at [{1:$[, ]}]", i,
                    llvm::make_range(point.begin(), point.end())));
      positions.push_back(*position);
      values[argument] = Scalar::load(tensor, *position);
    }
    if (failed(runBody(op, point, values, lookup)))
      return failure();
    for (auto [i, yielded] :
         llvm::enumerate(body.getTerminator()->getOperands()))
      getScalar(yielded, values, lookup)
          .store(results[i], positions[numInputs + i]);
    return success();
  };
  if (failed(visitIndices(*extents, run)))
    return failure();
  return results;
}
