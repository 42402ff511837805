// OpenVINO IR, the .xml and .bin that OpenVINO saves a model as, to and from
// the pool dialect.
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
  /// True: one function for each pooling layer, named after it; other layers
  /// are ignored. False: one function for the model; every layer must be known.
  bool poolLayers = false;
  /// The file of the constants. If empty, it has the model's name with .bin
  /// instead of .xml. It is read only if a constant is needed.
  std::string weightsPath;
};

struct OpenVINOExportOptions {
  /// The file of the constants. If empty, it has the model's name with .bin
  /// instead of .xml.
  std::string weightsPath;
};

/// Adds the dialects that imported modules use.
void registerOpenVINODialects(DialectRegistry &registry);

/// Reads the model `xmlPath`. If that fails, emits a diagnostic to `context`,
/// with the layer and its line if there is one, and returns null. The file need
/// not be trusted: its contents are checked before use.
OwningOpRef<ModuleOp> importOpenVINO(StringRef xmlPath, MLIRContext *context,
                                     const OpenVINOImportOptions &options = {});

/// Reads a model from a text in memory; the text's name is the model's path.
OwningOpRef<ModuleOp> importOpenVINO(llvm::MemoryBufferRef text,
                                     MLIRContext *context,
                                     const OpenVINOImportOptions &options = {});

/// Writes the only function of `module` as the model `xmlPath`, and its
/// constants to another file. If OpenVINO IR cannot express an operation, emits
/// a diagnostic that names the operation and the attribute, and writes no file.
LogicalResult exportOpenVINO(ModuleOp module, StringRef xmlPath,
                             const OpenVINOExportOptions &options = {});

/// Writes the model to memory: its text, and the bytes of the file of
/// constants.
LogicalResult exportOpenVINO(ModuleOp module, std::string &xml,
                             std::string &weights);

/// Registers `--import-openvino` with its options, and `--export-openvino`, for
/// mlirTranslateMain. Call it once for each process.
void registerOpenVINOTranslations();

} // namespace mlir::pool

#endif // POOL_IMPORT_OPENVINO_OPENVINO_H
