// One layer on its way to operations: its inputs as values, its outputs to be
// filled in, and its errors.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_LAYERCONVERSION_H
#define POOL_LIB_IMPORT_OPENVINO_LAYERCONVERSION_H

#include "LayerAttributes.h"
#include "Model.h"
#include "Weights.h"

#include "mlir/IR/Builders.h"

namespace mlir::pool::openvino {

struct LayerConversion {
  const Places &places;
  const Model &model;
  const Layer &layer;
  Weights &weights;
  OpBuilder &b;
  Location loc;
  /// Ranked tensors; null for an input that is read as a constant.
  SmallVector<Value> inputs;
  /// To be filled in; null where nothing uses the output.
  SmallVector<Value> outputs;

  InFlightDiagnostic emitError() { return emitLayerError(places, layer); }
  RankedTensorType getInputType(unsigned input) {
    return cast<RankedTensorType>(inputs[input].getType());
  }

  /// Fails unless the layer's version is opset`first` or a later one.
  LogicalResult checkVersion(unsigned first);

  /// Fails unless the layer has as many inputs and outputs.
  LogicalResult checkPorts(unsigned numInputs, unsigned numOutputs);

  /// The integers of an input that is a constant of rank at most 1.
  FailureOr<SmallVector<int64_t>> getIntegers(unsigned input);

  /// The type of an output whose type by its rule is `rule`: less static where
  /// its port is. Fails if the port has a different type or extent.
  FailureOr<RankedTensorType> getOutputType(unsigned output,
                                            RankedTensorType rule);
};

/// Fails where a type that a port declares is not that of its value.
LogicalResult checkPrecision(const Places &places, const Layer &layer,
                             const Port &port, Type elementType);

/// Loads the dialects whose operations are built.
void loadDialects(MLIRContext *context);

/// True for the types of layers that convertPoolingLayer takes.
bool isPoolingLayer(const Layer &layer);
/// True if `input` of a pooling layer is read as a constant.
bool isConstantInput(const Layer &layer, unsigned input);
LogicalResult convertPoolingLayer(LayerConversion &conversion);

/// Layers whose windows follow from the number of outputs, AdaptiveLayers.cpp.
LogicalResult convertAdaptiveAvgPool(LayerConversion &conversion);
LogicalResult convertAdaptiveMaxPool(LayerConversion &conversion);
/// ReduceMean or ReduceMax where it is global pooling.
LogicalResult convertGlobalPool(LayerConversion &conversion);
/// True if the ports of a reduction are those of a global pooling: the spatial
/// extents become 1, the others stay.
bool isGlobalPool(const Layer &layer);
/// `index_element_type`, i64 where it is absent.
FailureOr<Type> readIndexType(LayerConversion &conversion,
                              LayerAttributes &attributes);

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_LAYERCONVERSION_H
