// Converts OpenVINO IR to and from the pool dialect. OpenVINO saves a model in
// this format as an .xml file and a .bin file.
//
// The importer reads whole models of pooling layers, with what quantisation
// puts beside them, or only the pooling layers of any model.
// docs/Guides/ImportOpenVINO.md has the table of layers and attributes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_IMPORT_OPENVINO_OPENVINO_H
#define POOL_IMPORT_OPENVINO_OPENVINO_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <string>

namespace mlir::pool {

struct OpenVINOImportOptions {
  /// If true, imports one function for each pooling layer, named after the
  /// layer, and ignores other layers. Fails if there is no pooling layer. If
  /// false, imports one function for the model, and fails if it has an unknown
  /// layer.
  bool poolLayers = false;
  /// Name of the option `poolLayers` in error messages, such as
  /// `--pool-layers`.
  std::string poolLayersName = "poolLayers";
  /// Path of the file with the constants. If it is empty, the path is that of
  /// the model, with .bin instead of .xml. The file is read only if a constant
  /// is needed.
  std::string weightsPath;
};

struct OpenVINOExportOptions {
  /// Path of the file for the constants. If it is empty, the path is that of
  /// the model, with .bin instead of .xml.
  std::string weightsPath;
};

/// Adds the dialects that imported modules use.
void registerOpenVINODialects(DialectRegistry &registry);

/// Reads the model in the file `xmlPath`. On failure, emits a diagnostic to
/// `context` and returns null. The diagnostic names the layer and its line if a
/// layer is the cause. The file may be untrusted: its contents are checked
/// before use.
OwningOpRef<ModuleOp> importOpenVINO(StringRef xmlPath, MLIRContext *context,
                                     const OpenVINOImportOptions &options = {});

/// Reads a model from `text`, the contents of an .xml file. The buffer's name
/// is used as the path of the model. Fails like the function above.
OwningOpRef<ModuleOp> importOpenVINO(llvm::MemoryBufferRef text,
                                     MLIRContext *context,
                                     const OpenVINOImportOptions &options = {});

/// Writes the only function of `module` as a model to the file `xmlPath`, and
/// the constants to another file. If OpenVINO IR cannot express an operation,
/// emits a diagnostic that names the operation and the reason, and writes no
/// file.
LogicalResult exportOpenVINO(ModuleOp module, StringRef xmlPath,
                             const OpenVINOExportOptions &options = {});

/// Writes the model to memory: the text of the .xml file to `xml`, and the
/// bytes of the file of constants to `weights`. Fails like the function above.
LogicalResult exportOpenVINO(ModuleOp module, std::string &xml,
                             std::string &weights);

/// Registers `--import-openvino` and `--export-openvino`, with their options,
/// for mlirTranslateMain. Must be called at most once in a process.
void registerOpenVINOTranslations();

} // namespace mlir::pool

#endif // POOL_IMPORT_OPENVINO_OPENVINO_H
