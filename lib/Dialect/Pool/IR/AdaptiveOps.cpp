// Type inference of adaptive pooling. The rules are in AdaptiveInference; this
// file connects them to ODS.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/AdaptiveInference.h"
#include "pool/Dialect/Pool/IR/Pool.h"

using namespace mlir;
using namespace mlir::pool;

FailureOr<RankedTensorType>
AdaptiveAvgPoolOp::inferRule(ErrorFn emitError, TensorType input,
                             const Properties &properties, Type) {
  return inferAdaptiveAvgPool(emitError, input, properties.output_size,
                              properties.layout, properties.input_zp,
                              properties.output_zp);
}

FailureOr<RankedTensorType>
AdaptiveMaxPoolOp::inferRule(ErrorFn emitError, TensorType input,
                             const Properties &properties,
                             Type indexElementType) {
  return inferAdaptiveMaxPool(emitError, input, properties.output_size,
                              properties.layout, properties.axis,
                              indexElementType);
}
