// The attributes of one layer, read by name and type, so that none is passed
// over: what nobody has asked for is an error.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_LAYERATTRIBUTES_H
#define POOL_LIB_IMPORT_OPENVINO_LAYERATTRIBUTES_H

#include "Model.h"

#include "llvm/ADT/SmallBitVector.h"

namespace mlir::pool::openvino {

/// Integers separated by commas, blanks around them, none in an empty text.
std::optional<SmallVector<int64_t>> parseIntegers(StringRef text);

class LayerAttributes {
public:
  LayerAttributes(const Places &places, const Layer &layer)
      : places(places), layer(layer), wasRead(layer.attributes.size()) {}

  /// Each gives the value of the attribute `name`, or nothing where it is
  /// absent; failure, with an error, for a value of another type.
  FailureOr<std::optional<StringRef>> findText(StringRef name);
  FailureOr<std::optional<SmallVector<int64_t>>> findIntegers(StringRef name);
  FailureOr<std::optional<int64_t>> findInteger(StringRef name);
  FailureOr<std::optional<double>> findNumber(StringRef name);
  FailureOr<std::optional<bool>> findBoolean(StringRef name);

  /// One of `words`, which OpenVINO reads in any case; `absent` where there is
  /// no such attribute.
  FailureOr<std::string> readWord(StringRef name, StringRef absent,
                                  ArrayRef<StringRef> words);

  /// The value of an attribute that has to be there.
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

  /// Begins an error at the attribute, whose name and value it tells.
  InFlightDiagnostic emitError(StringRef name) const;

  /// Fails if an attribute has not been asked for.
  LogicalResult finish() const;

private:
  const DataAttribute *find(StringRef name);

  const Places &places;
  const Layer &layer;
  llvm::SmallBitVector wasRead;
};

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_LAYERATTRIBUTES_H
