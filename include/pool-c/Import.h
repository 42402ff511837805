/* Importers and exporters of models, for MLIR's C API.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#ifndef POOL_C_IMPORT_H
#define POOL_C_IMPORT_H

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Adds the dialects that imported modules use to `registry`. */
MLIR_CAPI_EXPORTED void
poolRegisterOpenVINODialects(MlirDialectRegistry registry);

/** Reads a model in OpenVINO IR from the .xml file `path`. The module has one
 * function for the whole model. If `poolLayers` is true, it has a function for
 * each pooling layer instead, with the name of the layer; then a model without
 * pooling layers is an error. Constants are read from the file `weightsPath`,
 * or if that is empty, from the .bin file beside the model. If it fails, emits
 * a diagnostic to the context and returns null. The caller owns the module. */
MLIR_CAPI_EXPORTED MlirModule poolImportOpenVINO(MlirContext context,
                                                 MlirStringRef path,
                                                 bool poolLayers,
                                                 MlirStringRef weightsPath);

/** Writes the only function of `module` as OpenVINO IR, to the .xml file `path`
 * and the .bin file beside it. Emits a diagnostic and fails if OpenVINO IR
 * cannot express the function, or if the files cannot be written. */
MLIR_CAPI_EXPORTED MlirLogicalResult poolExportOpenVINO(MlirModule module,
                                                        MlirStringRef path);

#ifdef __cplusplus
}
#endif

#endif /* POOL_C_IMPORT_H */
