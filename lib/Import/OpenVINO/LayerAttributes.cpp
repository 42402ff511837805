// Parses attributes from their text.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayerAttributes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

std::optional<SmallVector<int64_t>>
pool::openvino::parseIntegers(StringRef text) {
  SmallVector<int64_t> values;
  if (text.trim().empty())
    return values;
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts) {
    std::optional<int64_t> value = parseInteger(part.trim());
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

const DataAttribute *LayerAttributes::find(StringRef name) {
  for (auto [position, attribute] : llvm::enumerate(layer.attributes))
    if (attribute.name == name) {
      wasRead.set(position);
      return &attribute;
    }
  return nullptr;
}

InFlightDiagnostic LayerAttributes::emitError(StringRef name) const {
  for (const DataAttribute &attribute : layer.attributes)
    if (attribute.name == name)
      return emitLayerError(places, layer, attribute.offset)
             << name << " is '" << shorten(attribute.value) << "', ";
  return emitLayerError(places, layer);
}

FailureOr<std::optional<StringRef>> LayerAttributes::findText(StringRef name) {
  const DataAttribute *attribute = find(name);
  return attribute ? std::optional(attribute->value) : std::nullopt;
}

FailureOr<std::optional<SmallVector<int64_t>>>
LayerAttributes::findIntegers(StringRef name) {
  const DataAttribute *attribute = find(name);
  if (!attribute)
    return std::optional<SmallVector<int64_t>>();
  std::optional<SmallVector<int64_t>> values = parseIntegers(attribute->value);
  if (!values)
    return emitError(name) << "not a list of 64-bit integers";
  return values;
}

FailureOr<std::optional<int64_t>> LayerAttributes::findInteger(StringRef name) {
  const DataAttribute *attribute = find(name);
  if (!attribute)
    return std::optional<int64_t>();
  std::optional<int64_t> value = parseInteger(attribute->value.trim());
  if (!value)
    return emitError(name) << "not a 64-bit integer";
  return value;
}

FailureOr<std::optional<double>> LayerAttributes::findNumber(StringRef name) {
  const DataAttribute *attribute = find(name);
  if (!attribute)
    return std::optional<double>();
  double value;
  if (attribute->value.trim().getAsDouble(value))
    return emitError(name) << "not a number";
  return std::optional(value);
}

FailureOr<std::optional<bool>> LayerAttributes::findBoolean(StringRef name) {
  const DataAttribute *attribute = find(name);
  if (!attribute)
    return std::optional<bool>();
  StringRef text = attribute->value;
  if (text == "1" || text.equals_insensitive("true"))
    return std::optional(true);
  if (text == "0" || text.equals_insensitive("false"))
    return std::optional(false);
  return emitError(name) << "not true or false";
}

FailureOr<std::string> LayerAttributes::readWord(StringRef name,
                                                 StringRef absent,
                                                 ArrayRef<StringRef> words) {
  FailureOr<std::optional<StringRef>> text = findText(name);
  if (failed(text))
    return failure();
  std::string word = text->value_or(absent).lower();
  if (!llvm::is_contained(words, word))
    return emitError(name) << "not one of " << llvm::join(words, ", ");
  return word;
}

LogicalResult LayerAttributes::finish() const {
  for (auto [position, attribute] : llvm::enumerate(layer.attributes))
    if (!wasRead.test(position))
      return emitLayerError(places, layer, attribute.offset)
             << "the attribute " << shorten(attribute.name)
             << " is not known in " << shorten(layer.version);
  return success();
}
