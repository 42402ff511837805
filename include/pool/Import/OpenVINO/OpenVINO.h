// OpenVINO IR, the .xml and .bin that OpenVINO saves a model as, to and from
// the pool dialect.
//
// Models are read whole where they are pooling and what is elementwise around
// it; of any model, the pooling layers alone. docs/Guides/ImportOpenVINO.md has the table of
// layers and attributes.
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
  /// True: one function for each pooling layer, named after it, and nothing for
  /// the other layers, whatever they are. False: one function for the model, of
  /// whose layers every one must be known.
  bool poolLayers = false;
  /// The file of the constants. Where empty, it stands beside the model and
  /// ends in .bin instead of .xml; it is read where a constant is needed.
  std::string weightsPath;
};

/// Adds the dialects that imported modules use.
void registerOpenVINODialects(DialectRegistry &registry);

/// Reads the model `xmlPath`. Errors are diagnostics of `context`, which name
/// the layer and stand at its line, and give null. What the file holds is
/// checked before it is used: a file from anywhere may be passed.
OwningOpRef<ModuleOp> importOpenVINO(StringRef xmlPath, MLIRContext *context,
                                     const OpenVINOImportOptions &options = {});

/// Reads a model from a text in memory; the text's name is the model's path.
OwningOpRef<ModuleOp> importOpenVINO(llvm::MemoryBufferRef text,
                                     MLIRContext *context,
                                     const OpenVINOImportOptions &options = {});

/// Writes the only function of `module` as a model: `xmlPath`, and its
/// constants beside it in a file that ends in .bin. What IR cannot say is a
/// diagnostic that names the operation and the attribute; no file is written
/// then.
LogicalResult exportOpenVINO(ModuleOp module, StringRef xmlPath);

/// Writes the model to memory: its text, and the bytes of the file of
/// constants.
LogicalResult exportOpenVINO(ModuleOp module, std::string &xml,
                             std::string &weights);

/// Registers `--import-openvino` with its options, and `--export-openvino`, for
/// mlirTranslateMain. Call it once for each process.
void registerOpenVINOTranslations();

} // namespace mlir::pool

#endif // POOL_IMPORT_OPENVINO_OPENVINO_H
