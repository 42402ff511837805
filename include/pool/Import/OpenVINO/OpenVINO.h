// Converts OpenVINO IR to and from the pool dialect. OpenVINO saves a model in
// this format as an .xml file and a .bin file.
//
// The importer reads whole models of pooling and elementwise layers, or only
// the pooling layers of any model. docs/Guides/ImportOpenVINO.md has the table
// of layers and attributes.
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
  /// layer, and ignores other layers; fails if there is no pooling layer. If
  /// false, imports one function for the model, and fails at an unknown layer.
  bool poolLayers = false;
  /// The caller's name of the option `poolLayers`, for messages.
  std::string poolLayersName = "poolLayers";
  /// Path of the file with the constants. If empty, the model's path with .bin
  /// instead of .xml. The file is read only if a constant is needed.
  std::string weightsPath;
};

struct OpenVINOExportOptions {
  /// Path of the file for the constants. If empty, the model's path with .bin
  /// instead of .xml.
  std::string weightsPath;
};

/// Adds the dialects that imported modules use.
void registerOpenVINODialects(DialectRegistry &registry);

/// Reads the model in the file `xmlPath`. On failure, emits a diagnostic to
/// `context` and returns null. If a layer is at fault, the diagnostic names the
/// layer and its line. The file need not be trusted: its contents are checked
/// before use.
OwningOpRef<ModuleOp> importOpenVINO(StringRef xmlPath, MLIRContext *context,
                                     const OpenVINOImportOptions &options = {});

/// Reads a model from the .xml text in memory. The buffer's name counts as the
/// path of the model. Fails like the function above.
OwningOpRef<ModuleOp> importOpenVINO(llvm::MemoryBufferRef text,
                                     MLIRContext *context,
                                     const OpenVINOImportOptions &options = {});

/// Writes the only function of `module` as a model to the file `xmlPath`, and
/// the constants to another file. If OpenVINO IR cannot express an operation,
/// emits a diagnostic that names the operation and says why, and writes no
/// file.
LogicalResult exportOpenVINO(ModuleOp module, StringRef xmlPath,
                             const OpenVINOExportOptions &options = {});

/// Writes the model to memory: the text of the .xml file to `xml`, and the
/// bytes of the file of constants to `weights`. Fails like the function above.
LogicalResult exportOpenVINO(ModuleOp module, std::string &xml,
                             std::string &weights);

/// Registers `--import-openvino` with its options, and `--export-openvino`, for
/// mlirTranslateMain. Call this function once for each process.
void registerOpenVINOTranslations();

} // namespace mlir::pool

#endif // POOL_IMPORT_OPENVINO_OPENVINO_H
