// Imports AdaptiveAvgPool-8 and AdaptiveMaxPool-8 as adaptive operations. Also
// imports the reductions that OpenVINO saves for global pooling.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayerConversion.h"
#include "Precision.h"

#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

static LogicalResult createAverage(LayerConversion &c, ArrayRef<int64_t> size) {
  auto report = c.getReport();
  FailureOr<RankedTensorType> rule = inferAdaptiveAvgPool(
      report, c.getInputType(0), size, Layout::ChannelsFirst, 0, 0);
  if (failed(rule))
    return failure();
  FailureOr<RankedTensorType> type = c.getOutputType(0, *rule);
  if (failed(type))
    return failure();
  AdaptiveAvgPoolOp::Properties properties;
  properties.output_size = llvm::to_vector(size);
  c.create<AdaptiveAvgPoolOp>(*type, properties);
  return success();
}

/// Creates an adaptive maximum with the spatial extents `size`. If `indexType`
/// is set, the layer has indices of this type as its second output.
static LogicalResult createMaximum(LayerConversion &c, ArrayRef<int64_t> size,
                                   Type indexType) {
  // The layer's indices are positions in one plane: they count from the first
  // spatial dimension on.
  constexpr int64_t kAxis = 2;
  auto report = c.getReport();
  bool givesIndices = indexType && c.layer.isUsed[1];
  FailureOr<RankedTensorType> rule = inferAdaptiveMaxPool(
      report, c.getInputType(0), size, Layout::ChannelsFirst, kAxis,
      givesIndices ? indexType : Type());
  if (failed(rule))
    return failure();
  SmallVector<Type> types;
  for (unsigned i = 0; i < c.outputs.size(); ++i) {
    FailureOr<RankedTensorType> type =
        c.getOutputType(i, i == 0 ? *rule : rule->clone(indexType));
    if (failed(type))
      return failure();
    if (i == 0 || givesIndices)
      types.push_back(*type);
  }
  AdaptiveMaxPoolOp::Properties properties;
  properties.output_size = llvm::to_vector(size);
  if (givesIndices)
    properties.axis = kAxis;
  c.create<AdaptiveMaxPoolOp>(types, properties);
  return success();
}

//===----------------------------------------------------------------------===//
// Adaptive pooling
//===----------------------------------------------------------------------===//

/// Reads the output extents from the second input. Emits an error and fails
/// unless there is one for each spatial dimension.
static FailureOr<SmallVector<int64_t>> readOutputSize(LayerConversion &c) {
  FailureOr<SmallVector<int64_t>> size = c.getIntegers(1);
  if (failed(size))
    return failure();
  // Unlike other libraries, OpenVINO does not accept one extent for all spatial
  // dimensions.
  int64_t numSpatial = c.getInputType(0).getRank() - 2;
  if (int64_t(size->size()) != numSpatial)
    return c.emitError() << "its output size has " << size->size()
                         << " entries, the input " << numSpatial
                         << " spatial dimensions";
  return size;
}

LogicalResult pool::openvino::convertAdaptiveAvgPool(LayerConversion &c) {
  if (failed(c.attributes.finish()) || failed(c.checkPorts(2, 1)))
    return failure();
  FailureOr<SmallVector<int64_t>> size = readOutputSize(c);
  return success(succeeded(size) && succeeded(createAverage(c, *size)));
}

LogicalResult pool::openvino::convertAdaptiveMaxPool(LayerConversion &c) {
  FailureOr<Type> indexType = readIndexType(c);
  if (failed(indexType) || failed(c.attributes.finish()) ||
      failed(c.checkPorts(2, 2)))
    return failure();
  FailureOr<SmallVector<int64_t>> size = readOutputSize(c);
  return success(succeeded(size) &&
                 succeeded(createMaximum(c, *size, *indexType)));
}

//===----------------------------------------------------------------------===//
// Global pooling
//===----------------------------------------------------------------------===//

bool pool::openvino::isGlobalPool(const Layer &layer) {
  if (layer.inputs.size() != 2 || layer.outputs.size() != 1)
    return false;
  ArrayRef<int64_t> input = layer.inputs.front().dims;
  ArrayRef<int64_t> output = layer.outputs.front().dims;
  return input.size() >= 3 && input.size() == output.size() &&
         input.take_front(2) == output.take_front(2) &&
         llvm::all_of(output.drop_front(2),
                      [](int64_t extent) { return extent == 1; });
}

/// Emits an error and fails unless the reduced axes are exactly the spatial
/// dimensions, as in a global pooling. A dimension of extent 1 may be listed or
/// not, because reducing it changes nothing. isGlobalPool() has checked the
/// ports.
static LogicalResult checkAxes(LayerConversion &c) {
  FailureOr<SmallVector<int64_t>> axes = c.getIntegers(1);
  if (failed(axes))
    return failure();
  RankedTensorType input = c.getInputType(0);
  int64_t rank = input.getRank();
  SmallVector<bool> isReduced(rank, false);
  for (int64_t axis : *axes) {
    if (axis < -rank || axis >= rank)
      return c.emitError() << "its axis " << axis << " does not lie in ["
                           << -rank << ", " << rank - 1 << "]";
    isReduced[pool::normalizeAxis(axis, rank)] = true;
  }
  for (int64_t d = 0; d < rank; ++d)
    if (isReduced[d] != (d >= 2) && input.getDimSize(d) != 1)
      return c.emitError() << "its axes do not make it global pooling: "
                           << "dimension " << d << " is "
                           << (isReduced[d] ? "" : "not ") << "reduced";
  return success();
}

LogicalResult pool::openvino::convertGlobalPool(LayerConversion &c) {
  bool keepsDims;
  if (failed(c.attributes.require("keep_dims", keepsDims)) ||
      failed(c.attributes.finish()) || failed(c.checkPorts(2, 1)) ||
      failed(checkAxes(c)))
    return failure();
  if (!keepsDims)
    return c.attributes.emitError("keep_dims")
           << "but port " << c.layer.outputs[0].id << " has all dimensions";
  RankedTensorType input = c.getInputType(0);
  SmallVector<int64_t> size(input.getRank() - 2, 1);
  if (c.layer.type == "ReduceMax")
    return createMaximum(c, size, /*indexType=*/{});
  // Refuse integers: OpenVINO's specification says how pooling layers round
  // integer averages, but not how ReduceMean does.
  if (!isa<FloatType>(input.getElementType()))
    return c.emitError() << "it is not imported for elements of type "
                         << getName(input.getElementType());
  return createAverage(c, size);
}
