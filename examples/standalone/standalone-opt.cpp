// An optimizer with the pool dialect, its passes, and this project's own
// passes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Passes.h"
#include "pool/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::pool::registerAllDialects(registry);
  mlir::pool::registerAllPasses();
  mlir::pool::addVersionPrinter();
  registerLowerOneByOne();
  registerSeparateWindows();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Standalone optimizer\n", registry));
}
