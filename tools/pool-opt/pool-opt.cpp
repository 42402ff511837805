// mlir-opt with this project's dialect, passes and pipelines added.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

using namespace mlir;

int main(int argc, char **argv) {
  pool::addVersionPrinter();
  registerAllPasses();
  pool::registerAllPasses();

  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  // gpu-module-to-binary translates to LLVM IR from within the pipeline.
  registerAllGPUToLLVMIRTranslations(registry);
  pool::registerAllDialects(registry);

  return asMainReturnCode(
      MlirOptMain(argc, argv, "Pooling optimizer driver\n", registry));
}
