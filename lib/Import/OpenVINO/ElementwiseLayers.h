// Layers that work element by element: the table of them, and what the
// conversions of all build.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_ELEMENTWISELAYERS_H
#define POOL_LIB_IMPORT_OPENVINO_ELEMENTWISELAYERS_H

#include "LayerConversion.h"

namespace mlir::pool::openvino {

/// Computes a result from one element of each operand, floats as the type of
/// their accumulator and integers without a sign.
using ElementFn =
    function_ref<Value(OpBuilder &b, Location loc, ValueRange elements)>;

/// How operands broadcast.
struct Broadcast {
  /// Their last dimensions are those of the output; but those of the second
  /// begin here, if at all.
  std::optional<int64_t> secondBegin;
  /// The output has the shape of the first.
  bool isToFirst = false;
};

/// A linalg.generic over the broadcast operands, of `elementType`, as the first
/// output.
LogicalResult createElementwise(LayerConversion &conversion, Type elementType,
                                ElementFn compute,
                                const Broadcast &broadcast = {});

LogicalResult convertConvert(LayerConversion &conversion,
                             LayerAttributes &attributes);
/// Activations and their kin, which floats alone have, ActivationLayers.cpp.
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

/// What a layer has besides its type and inputs.
enum ElementwiseTrait : unsigned {
  /// Attributes, which `convert` reads.
  HasAttributes = 1,
  /// auto_broadcast, which is numpy where it is absent.
  HasAutoBroadcast = 2,
  /// Only floats for elements.
  HasFloats = 4,
};

struct ElementwiseLayer {
  StringLiteral type;
  unsigned numInputs;
  unsigned firstOpset;
  LogicalResult (*convert)(LayerConversion &, LayerAttributes &);
  /// Of ElementwiseTrait.
  unsigned traits = 0;
};
/// A type has an entry for each number of inputs.
ArrayRef<ElementwiseLayer> getElementwiseLayers();

/// The same as for pooling for layers that work element by element.
bool isElementwiseLayer(const Layer &layer);
LogicalResult convertElementwiseLayer(LayerConversion &conversion);

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_ELEMENTWISELAYERS_H
