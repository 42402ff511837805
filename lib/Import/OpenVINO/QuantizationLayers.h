// Layers that quantisation puts beside a pooling.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_QUANTIZATIONLAYERS_H
#define POOL_LIB_IMPORT_OPENVINO_QUANTIZATIONLAYERS_H

#include "LayerConversion.h"

namespace mlir::pool::openvino {

/// True for Convert and FakeQuantize.
bool isQuantizationLayer(const Layer &layer);
/// Converts such a layer to a linalg.generic, which becomes its output.
LogicalResult convertQuantizationLayer(LayerConversion &conversion);

/// Largest number of levels of a FakeQuantize. Its steps are counted in f32,
/// which has all integers up to this number.
inline constexpr int64_t kMaxLevels = 1 << 24;

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_QUANTIZATIONLAYERS_H
