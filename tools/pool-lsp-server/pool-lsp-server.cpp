// A language server for .mlir files with pooling operations: diagnostics,
// hover, definitions, completion in any editor that speaks LSP.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/LogicalResult.h"

using namespace mlir;

int main(int argc, char **argv) {
  pool::addVersionPrinter();
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  pool::registerAllDialects(registry);
  return failed(MlirLspServerMain(argc, argv, registry));
}
