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
/// A linalg.generic over the broadcast operands, of `elementType`, as the first
/// output.
LogicalResult createElementwise(LayerConversion &conversion, Type elementType,
                                ElementFn compute);

LogicalResult convertConvert(LayerConversion &conversion,
                             LayerAttributes &attributes);

struct ElementwiseLayer {
  StringLiteral type;
  unsigned numInputs;
  unsigned firstOpset;
  LogicalResult (*convert)(LayerConversion &, LayerAttributes &);
};
ArrayRef<ElementwiseLayer> getElementwiseLayers();

/// The same as for pooling for layers that work element by element.
bool isElementwiseLayer(const Layer &layer);
LogicalResult convertElementwiseLayer(LayerConversion &conversion);

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_ELEMENTWISELAYERS_H
