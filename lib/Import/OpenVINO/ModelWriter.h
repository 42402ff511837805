// Builds a model in OpenVINO IR: numbers layers and ports, and writes edges and
// constants. The code that exports operations adds their layers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_MODELWRITER_H
#define POOL_LIB_IMPORT_OPENVINO_MODELWRITER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <pugixml.hpp>
#include <string>

namespace mlir::pool::openvino {

/// An output of a written layer.
struct WrittenPort {
  unsigned layer;
  unsigned port;
  RankedTensorType type;
};

/// Description of a layer to be written.
struct LayerDescription {
  StringRef type;
  unsigned opset;
  /// If `loc` contains a NameLoc, the layer gets that name, with a number added
  /// if the name is already taken.
  Location loc;
  SmallVector<std::pair<StringRef, std::string>> data;
  SmallVector<WrittenPort> inputs;
  SmallVector<RankedTensorType> outputs;
};

class ModelWriter {
public:
  explicit ModelWriter(StringRef name);

  /// Writes a layer and returns its outputs. Requires that OpenVINO has a name
  /// for each element type; see getPrecision().
  SmallVector<WrittenPort> addLayer(const LayerDescription &layer);
  /// Writes a layer for `op`. The first outputs of the layer become the ports
  /// of the op's results.
  void addLayer(Operation *op, const LayerDescription &layer);
  /// Writes a Const layer.
  WrittenPort addConstant(Location loc, DenseElementsAttr value);

  /// Returns the port of `value`. Requires contains(value).
  WrittenPort getPort(Value value) const { return ports.at(value); }
  bool contains(Value value) const { return ports.contains(value); }
  void setPort(Value value, WrittenPort port) { ports[value] = port; }

  std::string getText();
  std::string takeWeights() { return std::move(weights); }

private:
  std::string getName(const LayerDescription &layer);

  pugi::xml_document document;
  pugi::xml_node layers, edges;
  unsigned numLayers = 0;
  llvm::StringMap<unsigned> names;
  std::string weights;
  llvm::DenseMap<Attribute, size_t> offsets;
  /// For each value, the output port that was written for it.
  llvm::DenseMap<Value, WrittenPort> ports;
};

/// True for the operations that exportPooling accepts. A layer exists for each
/// of them, but the layer may lack some of the operation's attributes.
bool isExportedPooling(Operation *op);
/// Writes the layer of a pooling operation. Emits an error and fails for an
/// attribute that OpenVINO IR cannot express, or that OpenVINO interprets
/// differently.
LogicalResult exportPooling(Operation *op, ModelWriter &writer);

/// Writes the Convert or FakeQuantize that the importer would turn into `op`.
/// Emits an error and fails if there is none.
LogicalResult exportQuantization(linalg::GenericOp op, ModelWriter &writer);

/// Formats integers as a list with commas, which is the form of lists in
/// attributes.
std::string join(ArrayRef<int64_t> list);

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_MODELWRITER_H
