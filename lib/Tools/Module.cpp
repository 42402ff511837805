// Parses modules, and explains errors about foreign dialects.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Module.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

OwningOpRef<ModuleOp> pool::parseModule(llvm::SourceMgr &sources,
                                        MLIRContext *context) {
  ScopedDiagnosticHandler handler(context, [](Diagnostic &diagnostic) {
    std::string message = diagnostic.str();
    StringRef text = message;
    bool isForeign = text.contains("not found for custom op") ||
                     text.contains("with an unregistered dialect");
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error || !isForeign)
      return failure();
    diagnostic.attachNote()
        << "this tool lowers the pool dialect and upstream's dialects; "
           "StableHLO in the generic form is raised by pool-opt "
           "--allow-unregistered-dialect --convert-stablehlo-to-pool, jaxlib's "
           "stablehlo-legalize-to-linalg lowers the rest, models of PyTorch, "
           "JAX and ONNX are read by the Python package";
    // Let the previous handler print the diagnostic.
    return failure();
  });
  return parseSourceFile<ModuleOp>(sources, context);
}
