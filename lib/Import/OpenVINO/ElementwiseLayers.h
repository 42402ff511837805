// Elementwise layers: their table, and helpers of their conversions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_ELEMENTWISELAYERS_H
#define POOL_LIB_IMPORT_OPENVINO_ELEMENTWISELAYERS_H

#include "LayerConversion.h"

namespace mlir::pool::openvino {

/// Computes a result from one element of each operand. Floats come in the
/// accumulator's type, integers signless.
using ElementFn =
    function_ref<Value(OpBuilder &b, Location loc, ValueRange elements)>;

/// Broadcasting rule of the operands.
struct Broadcast {
  /// The operands' last dimensions align with the output's; the second operand
  /// starts at this dimension instead, if set.
  std::optional<int64_t> secondBegin;
  /// True if the output has the first operand's shape.
  bool isToFirst = false;
};

/// Creates a linalg.generic over the broadcast operands, of `elementType`, as
/// the first output.
LogicalResult createElementwise(LayerConversion &conversion, Type elementType,
                                ElementFn compute,
                                const Broadcast &broadcast = {});

LogicalResult convertConvert(LayerConversion &conversion,
                             LayerAttributes &attributes);
/// Activations and related layers of floats only, in ActivationLayers.cpp.
LogicalResult convertElu(LayerConversion &conversion,
                         LayerAttributes &attributes);
LogicalResult convertFakeQuantize(LayerConversion &conversion,
                                  LayerAttributes &attributes);
LogicalResult convertGelu(LayerConversion &conversion,
                          LayerAttributes &attributes);
LogicalResult convertHardSigmoid(LayerConversion &conversion,
                                 LayerAttributes &attributes);
LogicalResult convertHSwish(LayerConversion &conversion,
                            LayerAttributes &attributes);
LogicalResult convertMish(LayerConversion &conversion,
                          LayerAttributes &attributes);
LogicalResult convertPRelu(LayerConversion &conversion,
                           LayerAttributes &attributes);
LogicalResult convertRound(LayerConversion &conversion,
                           LayerAttributes &attributes);
LogicalResult convertSelu(LayerConversion &conversion,
                          LayerAttributes &attributes);
LogicalResult convertSign(LayerConversion &conversion,
                          LayerAttributes &attributes);
LogicalResult convertSoftSign(LayerConversion &conversion,
                              LayerAttributes &attributes);
LogicalResult convertSwishWithBeta(LayerConversion &conversion,
                                   LayerAttributes &attributes);

/// Traits of a layer beyond its type and inputs.
enum ElementwiseTrait : unsigned {
  /// It has attributes, which `convert` reads.
  HasAttributes = 1,
  /// It has auto_broadcast, numpy by default.
  HasAutoBroadcast = 2,
  /// Its elements must be floats.
  HasFloats = 4,
};

struct ElementwiseLayer {
  StringLiteral type;
  unsigned numInputs;
  unsigned firstOpset;
  LogicalResult (*convert)(LayerConversion &, LayerAttributes &);
  /// Bits of ElementwiseTrait.
  unsigned traits = 0;
};
/// The table of layers, with one entry for each type and number of inputs.
ArrayRef<ElementwiseLayer> getElementwiseLayers();

/// Like isPoolingLayer and convertPoolingLayer, for elementwise layers.
bool isElementwiseLayer(const Layer &layer);
LogicalResult convertElementwiseLayer(LayerConversion &conversion);

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_ELEMENTWISELAYERS_H
