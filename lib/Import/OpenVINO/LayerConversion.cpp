// Checks shared by the conversions of all layers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayerConversion.h"

#include "Precision.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

LogicalResult LayerConversion::checkVersion(unsigned first) {
  // Latest known operation set.
  constexpr unsigned kLatest = 16;
  if (layer.opset >= first && layer.opset <= kLatest)
    return success();
  return emitError() << "its version '" << shorten(layer.version)
                     << "' is none of opset" << first << " to opset" << kLatest;
}

LogicalResult LayerConversion::checkPorts(unsigned numInputs,
                                          unsigned numOutputs) {
  auto check = [&](StringRef what, size_t number, size_t expected) {
    if (number == expected)
      return success();
    return LogicalResult(emitError()
                         << "it has " << number << " " << what << ", must have "
                         << expected << " in " << layer.version);
  };
  return success(succeeded(check("inputs", layer.inputs.size(), numInputs)) &&
                 succeeded(check("outputs", layer.outputs.size(), numOutputs)));
}

FailureOr<SmallVector<int64_t>> LayerConversion::getIntegers(unsigned input) {
  const Layer &source = model.layers[layer.sources[input].layer];
  if (source.type != "Const")
    return emitError() << "its input " << input << " is computed by layer '"
                       << shorten(source.name) << "' (" << shorten(source.type)
                       << "), must be constant";
  DenseElementsAttr constant = weights.getConstant(source);
  if (!constant)
    return failure();
  Type elementType = constant.getElementType();
  if (!elementType.isInteger(32) && !elementType.isInteger(64))
    return emitError() << "its input " << input << " has element type "
                       << getName(elementType) << ", must have i32 or i64";
  if (constant.getType().getRank() > 1)
    return emitError() << "its input " << input << " has rank "
                       << constant.getType().getRank() << ", must have rank 1";
  // Layers need at most one integer for each dimension. The limit guards
  // against hostile files with very long constants.
  if (constant.getNumElements() > int64_t(layer.inputs[0].dims.size()))
    return emitError() << "its input " << input << " has "
                       << constant.getNumElements() << " elements, more than "
                       << "input 0 has dimensions";
  SmallVector<int64_t> values;
  for (const APInt &value : constant.getValues<APInt>())
    values.push_back(value.getSExtValue());
  return values;
}

LogicalResult pool::openvino::checkPrecision(const Places &places,
                                             const Layer &layer,
                                             const Port &port,
                                             Type elementType) {
  if (port.precision.empty() || port.elementType == elementType)
    return success();
  return emitLayerError(places, layer, port.offset)
         << "port " << port.id << " has the precision "
         << shorten(port.precision) << ", but its value is "
         << getPrecision(elementType);
}

LogicalResult pool::openvino::checkPort(const Places &places,
                                        const Layer &layer, const Port &port,
                                        RankedTensorType type,
                                        StringRef value) {
  if (failed(checkPrecision(places, layer, port, type.getElementType())))
    return failure();
  auto emitPortError = [&] {
    return emitLayerError(places, layer, port.offset)
           << "port " << port.id << " has ";
  };
  if (port.dims.size() != size_t(type.getRank()))
    return emitPortError() << port.dims.size() << " dimensions, " << value
                           << " " << type.getRank();
  for (auto [d, extent, known] : llvm::enumerate(port.dims, type.getShape()))
    if (!ShapedType::isDynamic(extent) && !ShapedType::isDynamic(known) &&
        extent != known)
      return emitPortError() << extent << " in dimension " << d << ", " << value
                             << " " << known;
  return success();
}

FailureOr<RankedTensorType>
LayerConversion::getOutputType(unsigned output, RankedTensorType rule) {
  const Port &port = layer.outputs[output];
  if (failed(checkPort(places, layer, port, rule, "its value")))
    return failure();
  SmallVector<int64_t> shape(port.dims);
  for (auto [extent, known] : llvm::zip_equal(shape, rule.getShape()))
    // Do not trust an extent that the file declares if the rule does not derive
    // it.
    if (ShapedType::isDynamic(known))
      extent = ShapedType::kDynamic;
  return RankedTensorType::get(shape, rule.getElementType());
}
