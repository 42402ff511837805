// The state of one layer's conversion: its inputs as values, its outputs, and
// its errors.
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
  LayerConversion(const Places &places, const Model &model, const Layer &layer,
                  Weights &weights, OpBuilder &b, Location loc,
                  ValueRange inputs)
      : places(places), model(model), layer(layer), weights(weights), b(b),
        loc(loc), attributes(places, layer), inputs(inputs),
        outputs(layer.outputs.size()) {}

  const Places &places;
  const Model &model;
  const Layer &layer;
  Weights &weights;
  OpBuilder &b;
  Location loc;
  LayerAttributes attributes;
  /// Ranked tensors. Null for an input that the conversion reads as a constant.
  SmallVector<Value> inputs;
  /// A value for each output, which the conversion sets. Indices that nothing
  /// uses stay null.
  SmallVector<Value> outputs;

  InFlightDiagnostic emitError() { return emitLayerError(places, layer); }
  RankedTensorType getInputType(unsigned input) {
    return cast<RankedTensorType>(inputs[input].getType());
  }

  /// Returns a function that emits an error at the layer and returns failure,
  /// for type inference. The function must not outlive this object.
  auto getReport() {
    return [this](const Twine &message) -> LogicalResult {
      return emitError() << message;
    };
  }

  /// Creates an `Op` whose operand is input 0. Its results become the first
  /// outputs.
  template <typename Op>
  void create(TypeRange types, const typename Op::Properties &properties) {
    auto op = Op::create(b, loc, types, ValueRange(inputs[0]), properties);
    llvm::copy(op->getResults(), outputs.begin());
  }

  /// Emits an error and fails unless the layer's version is one of opset`first`
  /// to the latest known opset.
  LogicalResult checkVersion(unsigned first);

  /// Emits an error and fails unless the layer has these numbers of inputs and
  /// outputs.
  LogicalResult checkPorts(unsigned numInputs, unsigned numOutputs);

  /// Returns the integers of a constant input of i32 or i64. Emits an error and
  /// fails if the input is not such a constant, if its rank is above 1, or if
  /// it has more integers than input 0 has dimensions.
  FailureOr<SmallVector<int64_t>> getIntegers(unsigned input);

  /// Returns the type of an output. `rule` is the type that type inference
  /// derives. An extent is dynamic if it is unknown in `rule` or in the port.
  /// Emits an error and fails if the port contradicts `rule`.
  FailureOr<RankedTensorType> getOutputType(unsigned output,
                                            RankedTensorType rule);
};

/// Emits an error and fails if `port` declares an element type other than
/// `elementType`, which its value has.
LogicalResult checkPrecision(const Places &places, const Layer &layer,
                             const Port &port, Type elementType);
/// Emits an error and fails if `port` contradicts a value of `type`. The error
/// calls this value `value`.
LogicalResult checkPort(const Places &places, const Layer &layer,
                        const Port &port, RankedTensorType type,
                        StringRef value);

/// Loads the dialects of the ops that conversions build.
void loadDialects(MLIRContext *context);

/// True for the layers that convertPoolingLayer converts.
bool isPoolingLayer(const Layer &layer);
/// True if the input with the number `input` of a pooling layer is read as a
/// constant.
bool isConstantInput(const Layer &layer, unsigned input);
LogicalResult convertPoolingLayer(LayerConversion &conversion);

/// Convert adaptive pooling layers. These and the functions for global pooling
/// are in AdaptiveLayers.cpp.
LogicalResult convertAdaptiveAvgPool(LayerConversion &conversion);
LogicalResult convertAdaptiveMaxPool(LayerConversion &conversion);
/// Converts a ReduceMean or ReduceMax that is a global pooling.
LogicalResult convertGlobalPool(LayerConversion &conversion);
/// True if the ports of a reduction fit a global pooling: spatial extents
/// become 1, and the other extents do not change.
bool isGlobalPool(const Layer &layer);
/// Reads `index_element_type`, i64 by default.
FailureOr<Type> readIndexType(LayerConversion &conversion);

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_LAYERCONVERSION_H
