// C API of the importers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool-c/Import.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "pool/Import/OpenVINO/OpenVINO.h"

using namespace mlir;
using namespace mlir::pool;

void poolRegisterOpenVINODialects(MlirDialectRegistry registry) {
  registerOpenVINODialects(*unwrap(registry));
}

MlirModule poolImportOpenVINO(MlirContext context, MlirStringRef path,
                              bool poolLayers, MlirStringRef weightsPath) {
  OpenVINOImportOptions options;
  options.poolLayers = poolLayers;
  options.weightsPath = unwrap(weightsPath).str();
  return wrap(importOpenVINO(unwrap(path), unwrap(context), options).release());
}

MlirLogicalResult poolExportOpenVINO(MlirModule module, MlirStringRef path) {
  return wrap(exportOpenVINO(unwrap(module), unwrap(path)));
}
