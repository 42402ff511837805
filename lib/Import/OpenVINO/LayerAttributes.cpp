// Parses attributes from their text.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayerAttributes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::openvino;

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

const char *LayerAttributes::parse(StringRef text, StringRef &value) {
  value = text;
  return nullptr;
}

const char *LayerAttributes::parse(StringRef text,
                                   SmallVector<int64_t> &values) {
  values.clear();
  SmallVector<StringRef> parts;
  if (!text.trim().empty())
    text.split(parts, ',');
  for (StringRef part : parts)
    if (parse(part, values.emplace_back()))
      return "a list of 64-bit integers";
  return nullptr;
}

const char *LayerAttributes::parse(StringRef text, int64_t &value) {
  std::optional<int64_t> integer = parseInteger(text.trim());
  if (!integer)
    return "a 64-bit integer";
  value = *integer;
  return nullptr;
}

const char *LayerAttributes::parse(StringRef text, bool &value) {
  value = text == "1" || text.equals_insensitive("true");
  bool isBoolean = value || text == "0" || text.equals_insensitive("false");
  return isBoolean ? nullptr : "true or false";
}

LogicalResult LayerAttributes::readWord(StringRef name, std::string &word,
                                        ArrayRef<StringRef> words) {
  StringRef text = word;
  if (failed(read(name, text)))
    return failure();
  word = text.lower();
  if (!llvm::is_contained(words, word))
    return emitError(name) << "not one of " << llvm::join(words, ", ");
  return success();
}

LogicalResult LayerAttributes::finish() const {
  for (auto [position, attribute] : llvm::enumerate(layer.attributes))
    if (!wasRead.test(position))
      return emitLayerError(places, layer, attribute.offset)
             << "the attribute " << shorten(attribute.name)
             << " is not known in " << shorten(layer.version);
  return success();
}
