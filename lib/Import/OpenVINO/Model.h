// An IR model as data: layers with their ports, joined by edges.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_MODEL_H
#define POOL_LIB_IMPORT_OPENVINO_MODEL_H

#include "Document.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <vector>

namespace mlir::pool::openvino {

/// An attribute in a layer's <data>.
struct DataAttribute {
  StringRef name;
  StringRef value;
  Offset offset;
};

/// A port of a layer. Unknown dimensions are dynamic.
struct Port {
  int64_t id;
  /// Null if the file declares no `precision`, or one that the import does not
  /// support.
  Type elementType;
  StringRef precision;
  SmallVector<int64_t> dims;
  Offset offset;
};

/// One output of a layer. `layer` is an index of Model::layers, and `output`
/// one of Layer::outputs.
struct Source {
  unsigned layer;
  unsigned output;
};

struct Layer {
  int64_t id;
  StringRef name;
  StringRef type;
  /// The number N if `version` is opsetN; 0 for any other text.
  unsigned opset;
  StringRef version;
  SmallVector<DataAttribute, 0> attributes;
  SmallVector<Port, 1> inputs;
  SmallVector<Port, 1> outputs;
  /// For each input, the output that it is connected to.
  SmallVector<Source, 1> sources;
  /// True for each output that is connected.
  SmallVector<bool, 2> isUsed;
  Offset offset;
};

/// The layers of one graph: of the model, or of the body of a loop or branch in
/// the model. Strings refer to the document.
struct Model {
  StringRef name;
  std::vector<Layer> layers;
  /// Indices of `layers` in topological order: producers come before their
  /// users.
  std::vector<unsigned> order;
};

/// Reads the graphs of a document and connects their layers. The first of
/// `models` is the model itself. The bodies of its loops and branches follow.
/// Emits an error and fails if the document is no valid model.
LogicalResult readModels(const Document &document, const Places &places,
                         std::vector<Model> &models);

/// Begin an error whose message names the layer. Its location is that of the
/// layer, or `offset`.
InFlightDiagnostic emitLayerError(const Places &places, const Layer &layer);
InFlightDiagnostic emitLayerError(const Places &places, const Layer &layer,
                                  Offset offset);

/// Parses a decimal integer with an optional minus sign. Returns nothing if the
/// text has anything else, such as blanks, or does not fit int64.
std::optional<int64_t> parseInteger(StringRef text);

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_MODEL_H
