// A language server for .mlir files with pooling operations: diagnostics,
// hover, definitions, completion in any editor that speaks LSP.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/LogicalResult.h"

using namespace mlir;

static constexpr char kHelp[] = R"(
WHAT IT IS:

  The language server of .mlir files with pooling operations. An editor starts
  it, and shows diagnostics, hover text, definitions and completion.

EXAMPLE:

  In settings.json of VS Code with the MLIR extension:

  "mlir.server_path": "PREFIX/bin/pool-lsp-server"
)";

int main(int argc, char **argv) {
  pool::addVersionPrinter();
  llvm::cl::extrahelp extraHelp(kHelp);
  DialectRegistry registry;
  pool::registerAllDialects(registry);
  return failed(MlirLspServerMain(argc, argv, registry));
}
