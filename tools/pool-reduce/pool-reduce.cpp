// Reduces a failing module with pooling operations. The stock mlir-reduce loads
// no plugin.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;

static constexpr char kHelp[] = R"(
WHAT IT IS:

  Makes a module small that shows a fault: upstream's mlir-reduce with the pool
  dialect and its passes. A script gets each smaller module as a file, and exits
  with 1 if the module still shows the fault.

EXAMPLE:

  $ cat fails.sh
  #!/bin/sh
  ! pool-opt --convert-pool-to-linalg "$1" 2>&1 | grep -q 'cannot be lowered'
  $ pool-reduce model.mlir --pass-pipeline='builtin.module(
      opt-reduction-pass{opt-pass=canonicalize test=./fails.sh})'
)";

int main(int argc, char **argv) {
  pool::addVersionPrinter();
  llvm::cl::extrahelp extraHelp(kHelp);
  pool::registerAllPasses();

  DialectRegistry registry;
  pool::registerAllDialects(registry);

  MLIRContext context(registry);
  return failed(mlirReduceMain(argc, argv, context));
}
