// Reads the attributes of a layer by name and type. finish() reports attributes
// that were not read, so that the import ignores no attribute silently.
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

  /// Reads the attribute `name` into `value`. If the attribute is absent, keeps
  /// `value` and succeeds. If its text is not a T, emits an error and fails.
  template <typename T>
  LogicalResult read(StringRef name, T &value) {
    const DataAttribute *attribute = find(name);
    if (!attribute)
      return success();
    if (const char *expected = parse(attribute->value, value))
      return emitError(name) << "not " << expected;
    return success();
  }

  /// Reads the attribute like read(), but emits an error and fails if it is
  /// absent.
  template <typename T>
  LogicalResult require(StringRef name, T &value) {
    if (!find(name))
      return emitLayerError(places, layer)
             << "the required attribute " << name << " is missing";
    return read(name, value);
  }

  /// Reads the attribute like read(), converts it to lower case, and fails
  /// unless it is one of `words`. Ignores case, as OpenVINO does. If the
  /// attribute is absent, `word` must be one of `words`.
  LogicalResult readWord(StringRef name, std::string &word,
                         ArrayRef<StringRef> words);

  /// Begins an error at the attribute `name`, with its name and value, or at
  /// the layer if the attribute is absent.
  InFlightDiagnostic emitError(StringRef name) const;

  /// Emits an error and fails if the layer has an attribute that was not read.
  LogicalResult finish() const;

private:
  const DataAttribute *find(StringRef name);

  /// Parse a value. Return null on success, else a description of the expected
  /// type.
  static const char *parse(StringRef text, StringRef &value);
  static const char *parse(StringRef text, SmallVector<int64_t> &values);
  static const char *parse(StringRef text, int64_t &value);
  static const char *parse(StringRef text, bool &value);

  const Places &places;
  const Layer &layer;
  llvm::SmallBitVector wasRead;
};

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_LAYERATTRIBUTES_H
