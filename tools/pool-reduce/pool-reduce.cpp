// Makes a failing module with pooling operations small. A tool of our own,
// because the stock mlir-reduce loads no plugin.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

using namespace mlir;

int main(int argc, char **argv) {
  pool::addVersionPrinter();
  registerAllPasses();
  pool::registerAllPasses();

  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  pool::registerAllDialects(registry);

  MLIRContext context(registry);
  return failed(mlirReduceMain(argc, argv, context));
}
