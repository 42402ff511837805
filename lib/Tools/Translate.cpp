// pool-translate: translates between models of OpenVINO and MLIR.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Tools/Tools.h"

#include "pool/Import/OpenVINO/OpenVINO.h"
#include "pool/InitAll.h"

#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"

int mlir::pool::translateMain(int argc, char **argv) {
  mlir::pool::addVersionPrinter();
  mlir::pool::registerOpenVINOTranslations();
  return failed(
      mlir::mlirTranslateMain(argc, argv, "Pooling translation driver"));
}
