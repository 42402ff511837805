// The table of elementwise layers, and helpers of their conversions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_ELEMENTWISELAYERS_H
#define POOL_LIB_IMPORT_OPENVINO_ELEMENTWISELAYERS_H

#include "LayerConversion.h"

#include "pool/Dialect/Pool/Utils/ElementBuilder.h"

namespace mlir::pool::openvino {

/// Builds the computation of one element of the result from one element of each
/// operand. Floats have the type of accumulators (f32 for f16 and bf16), and
/// integers are signless. The caller converts the result to the output's
/// element type.
using ElementFn = function_ref<Value(ElementBuilder &b, ValueRange elements)>;

/// Says how the operands broadcast to the output.
struct Broadcast {
  /// If set, the first dimension of the second operand aligns with this
  /// dimension of the output. All other operands align at the last dimension,
  /// as in NumPy.
  std::optional<int64_t> secondBegin;
  /// True if the output has the first operand's shape, and all other operands
  /// broadcast to it.
  bool isToFirst = false;
};

/// Creates a linalg.generic that applies `compute` to the broadcast inputs of
/// the layer, and makes it the layer's first output, of `elementType`. Emits an
/// error and fails if the inputs do not broadcast, or if the output's port
/// contradicts the result. Unknown extents are compared at run time.
LogicalResult createElementwise(LayerConversion &conversion, Type elementType,
                                ElementFn compute,
                                const Broadcast &broadcast = {});

/// Properties of a layer type that convertElementwiseLayer checks.
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
/// Returns the table of elementwise layers. It has one entry for each pair of a
/// type and a number of inputs.
ArrayRef<ElementwiseLayer> getElementwiseLayers();
/// Returns the part of this table that ActivationLayers.cpp defines: layers of
/// floats that mostly take several operations for an element.
ArrayRef<ElementwiseLayer> getActivationLayers();

/// True if the type of `layer` is in the table, with any number of inputs.
bool isElementwiseLayer(const Layer &layer);
LogicalResult convertElementwiseLayer(LayerConversion &conversion);

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_ELEMENTWISELAYERS_H
