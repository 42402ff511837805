// pool-opt: mlir-opt with this project's dialect, passes and pipelines added.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Tools/Tools.h"

#include "pool/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace mlir;

int mlir::pool::optMain(int argc, char **argv) {
  pool::addVersionPrinter();
  mlir::registerAllPasses();
  pool::registerAllPasses();

  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  // gpu-module-to-binary translates to LLVM IR from within the pipeline.
  registerAllGPUToLLVMIRTranslations(registry);
  pool::registerAllDialects(registry);

  return asMainReturnCode(
      MlirOptMain(argc, argv, "Pooling optimizer driver\n", registry));
}
