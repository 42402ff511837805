// One operation on its way to layers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_LAYEREXPORT_H
#define POOL_LIB_IMPORT_OPENVINO_LAYEREXPORT_H

#include "ModelWriter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Operation.h"

namespace mlir::pool::openvino {

/// Layers of the values of a function.
class ExportedValues {
public:
  explicit ExportedValues(ModelWriter &writer) : writer(writer) {}

  /// The port of a value that a layer has been written for.
  WrittenPort get(Value value) const { return ports.at(value); }
  bool contains(Value value) const { return ports.contains(value); }
  void set(Value value, WrittenPort port) { ports[value] = port; }

  /// Writes a layer of the operation, its results being the first outputs.
  void addLayer(Operation *op, const LayerDescription &layer);

  ModelWriter &getWriter() { return writer; }

private:
  ModelWriter &writer;
  llvm::DenseMap<Value, WrittenPort> ports;
};

/// True for the operations that exportPooling takes: those that IR has layers
/// for, whatever their attributes.
bool isExportedPooling(Operation *op);
/// Writes the layer of a pooling operation; an error names an attribute for
/// which IR has no words, or one that OpenVINO understands differently.
LogicalResult exportPooling(Operation *op, ExportedValues &values);

/// Writes the layer that importing would have made `op` of.
LogicalResult exportElementwise(linalg::GenericOp op, ExportedValues &values);

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_LAYEREXPORT_H
