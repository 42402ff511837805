// Exports one operation to layers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_IMPORT_OPENVINO_LAYEREXPORT_H
#define POOL_LIB_IMPORT_OPENVINO_LAYEREXPORT_H

#include "ModelWriter.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Operation.h"

namespace mlir::pool::openvino {

/// Output ports of the layers written so far, by value.
class ExportedValues {
public:
  explicit ExportedValues(ModelWriter &writer) : writer(writer) {}

  /// The port of a value that a layer has been written for.
  WrittenPort get(Value value) const { return ports.at(value); }
  bool contains(Value value) const { return ports.contains(value); }
  void set(Value value, WrittenPort port) { ports[value] = port; }

  /// Writes a layer of the operation; its first outputs are the op's results.
  void addLayer(Operation *op, const LayerDescription &layer);

  ModelWriter &getWriter() { return writer; }

private:
  ModelWriter &writer;
  llvm::DenseMap<Value, WrittenPort> ports;
};

/// True for the operations that exportPooling takes: those with a layer in IR,
/// whatever their attributes.
bool isExportedPooling(Operation *op);
/// Writes the layer of a pooling operation. Fails for an attribute that IR
/// cannot express, or that OpenVINO interprets differently.
LogicalResult exportPooling(Operation *op, ExportedValues &values);

/// Writes the layer that imports as `op`.
LogicalResult exportElementwise(linalg::GenericOp op, ExportedValues &values);

} // namespace mlir::pool::openvino

#endif // POOL_LIB_IMPORT_OPENVINO_LAYEREXPORT_H
