// Reads the attributes of a layer by name and type. An attribute that was not
// read is an error, so that none is silently ignored.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_LAYERATTRIBUTES_H
#define POOL_LIB_IMPORT_OPENVINO_LAYERATTRIBUTES_H

#include "Model.h"

#include "llvm/ADT/SmallBitVector.h"

namespace mlir::pool::openvino {

/// Parses integers separated by commas, with blanks around them; empty text
/// gives none.
std::optional<SmallVector<int64_t>> parseIntegers(StringRef text);

class LayerAttributes {
public:
  LayerAttributes(const Places &places, const Layer &layer)
      : places(places), layer(layer), wasRead(layer.attributes.size()) {}

  /// Each returns the value of the attribute `name`, or nothing if it is
  /// absent; fails, with an error, for a value of another type.
  FailureOr<std::optional<StringRef>> findText(StringRef name);
  FailureOr<std::optional<SmallVector<int64_t>>> findIntegers(StringRef name);
  FailureOr<std::optional<int64_t>> findInteger(StringRef name);
  FailureOr<std::optional<double>> findNumber(StringRef name);
  FailureOr<std::optional<bool>> findBoolean(StringRef name);

  /// Reads one of `words`, which OpenVINO takes in any case; `absent` is the
  /// default.
  FailureOr<std::string> readWord(StringRef name, StringRef absent,
                                  ArrayRef<StringRef> words);

  /// Reads an attribute that must be present.
  template <typename T>
  FailureOr<T>
  require(StringRef name,
          FailureOr<std::optional<T>> (LayerAttributes::*find)(StringRef)) {
    FailureOr<std::optional<T>> value = (this->*find)(name);
    if (failed(value))
      return failure();
    if (!*value)
      return emitLayerError(places, layer)
             << "the required attribute " << name << " is missing";
    return **value;
  }

  /// Begins an error at the attribute, with its name and value.
  InFlightDiagnostic emitError(StringRef name) const;

  /// Fails if an attribute has not been read.
  LogicalResult finish() const;

private:
  const DataAttribute *find(StringRef name);

  const Places &places;
  const Layer &layer;
  llvm::SmallBitVector wasRead;
};

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_LAYERATTRIBUTES_H
