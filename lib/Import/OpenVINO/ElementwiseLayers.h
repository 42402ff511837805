// Elementwise layers: their table, and helpers of their conversions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_ELEMENTWISELAYERS_H
#define POOL_LIB_IMPORT_OPENVINO_ELEMENTWISELAYERS_H

#include "LayerConversion.h"

#include "pool/Dialect/Pool/Utils/ElementBuilder.h"

namespace mlir::pool::openvino {

/// Computes a result from one element of each operand. Floats have the type of
/// accumulators, and integers are signless.
using ElementFn = function_ref<Value(ElementBuilder &b, ValueRange elements)>;

/// Broadcasting rule of the operands.
struct Broadcast {
  /// If set, the second operand starts at this dimension of the output. Each
  /// other operand ends at the last dimension of the output.
  std::optional<int64_t> secondBegin;
  /// True if the output has the first operand's shape.
  bool isToFirst = false;
};

/// Creates a linalg.generic over the broadcast operands, with a result of
/// `elementType`, as the first output.
LogicalResult createElementwise(LayerConversion &conversion, Type elementType,
                                ElementFn compute,
                                const Broadcast &broadcast = {});

/// Traits of a layer beyond its type and inputs.
enum ElementwiseTrait : unsigned {
  /// The layer has the attribute auto_broadcast, `numpy` by default.
  HasAutoBroadcast = 1,
  /// The elements of its inputs must be floats.
  HasFloats = 2,
};

struct ElementwiseLayer {
  StringLiteral type;
  unsigned numInputs;
  unsigned firstOpset;
  LogicalResult (*convert)(LayerConversion &);
  /// Bits of ElementwiseTrait.
  unsigned traits = 0;
};
/// Returns the table of layers, with one entry for each type and number of
/// inputs.
ArrayRef<ElementwiseLayer> getElementwiseLayers();
/// Returns the part of this table that ActivationLayers.cpp defines: layers of
/// floats, mostly with several operations for an element.
ArrayRef<ElementwiseLayer> getActivationLayers();

/// True if the type of `layer` is in the table, with any number of inputs.
bool isElementwiseLayer(const Layer &layer);
LogicalResult convertElementwiseLayer(LayerConversion &conversion);

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_ELEMENTWISELAYERS_H
