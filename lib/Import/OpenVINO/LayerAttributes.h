// Reads the attributes of a layer by name and type. An attribute that was not
// read is an error, so that none is silently ignored.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_LAYERATTRIBUTES_H
#define POOL_LIB_IMPORT_OPENVINO_LAYERATTRIBUTES_H

#include "Model.h"

#include "llvm/ADT/SmallBitVector.h"

namespace mlir::pool::openvino {

class LayerAttributes {
public:
  LayerAttributes(const Places &places, const Layer &layer)
      : places(places), layer(layer), wasRead(layer.attributes.size()) {}

  /// Reads the attribute `name`. Keeps `value` if the attribute is absent.
  /// Fails with an error if its text is not a T.
  template <typename T>
  LogicalResult read(StringRef name, T &value) {
    const DataAttribute *attribute = find(name);
    if (!attribute)
      return success();
    if (const char *expected = parse(attribute->value, value))
      return emitError(name) << "not " << expected;
    return success();
  }

  /// As `read`, but the attribute must be present.
  template <typename T>
  LogicalResult require(StringRef name, T &value) {
    if (!find(name))
      return emitLayerError(places, layer)
             << "the required attribute " << name << " is missing";
    return read(name, value);
  }

  /// As `read`, for a value that must be one of `words`, which are in lower
  /// case. Ignores the case of the value, as OpenVINO does.
  LogicalResult readWord(StringRef name, std::string &word,
                         ArrayRef<StringRef> words);

  /// Begins an error at the attribute, with its name and value.
  InFlightDiagnostic emitError(StringRef name) const;

  /// Fails if an attribute has not been read.
  LogicalResult finish() const;

private:
  const DataAttribute *find(StringRef name);

  /// Parse a value. Return null on success, else a description of the expected
  /// type.
  static const char *parse(StringRef text, StringRef &value);
  static const char *parse(StringRef text, SmallVector<int64_t> &values);
  static const char *parse(StringRef text, int64_t &value);
  static const char *parse(StringRef text, double &value);
  static const char *parse(StringRef text, bool &value);

  const Places &places;
  const Layer &layer;
  llvm::SmallBitVector wasRead;
};

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_LAYERATTRIBUTES_H
