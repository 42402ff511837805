// Parses modules, and explains errors about unknown dialects.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Module.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "pool/ExecutionEngine/Program.h"
#include "pool/InitAll.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::pool;

ExitCode pool::fail(StringRef tool, const Twine &message, ExitCode code) {
  llvm::WithColor::error(llvm::errs(), tool) << message << "\n";
  return code;
}

/// A diagnostic handler that adds a note to an error about an unknown dialect.
/// Always fails, so that the handler before it prints the diagnostic.
static LogicalResult explain(Diagnostic &diagnostic) {
  std::string message = diagnostic.str();
  StringRef text = message;
  bool isForeign = text.contains("not found for custom op") ||
                   text.contains("with an unregistered dialect");
  if (diagnostic.getSeverity() == DiagnosticSeverity::Error && isForeign)
    diagnostic.attachNote()
        << "this tool lowers the pool dialect and upstream's dialects; "
           "StableHLO in the generic form is raised by pool-opt "
           "--allow-unregistered-dialect --convert-stablehlo-to-pool, jaxlib's "
           "stablehlo-legalize-to-linalg lowers the rest, models of PyTorch, "
           "JAX and ONNX are read by the Python package";
  return failure();
}

ModuleFile::ModuleFile(StringRef tool, StringRef path)
    : context(getExecutionRegistry()), handler(sources, &context) {
  // Do not print operations in errors: the location helps more than a whole
  // lowered function.
  context.printOpOnDiagnostic(false);
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> file = openInputFile(path, &message);
  if (!file) {
    fail(tool, message);
    return;
  }
  sources.AddNewSourceBuffer(std::move(file), SMLoc());
  ScopedDiagnosticHandler explainer(&context, explain);
  module = parseSourceFile<ModuleOp>(sources, &context);
}
