// Collects diagnostics.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Diagnostics.h"

using namespace mlir;
using namespace mlir::pool::python;

DiagnosticCollector::DiagnosticCollector(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        auto add = [&](const Diagnostic &what) {
          if (!text.empty())
            text += "\n";
          text += what.str();
        };
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return;
        add(diagnostic);
        for (const Diagnostic &note : diagnostic.getNotes())
          add(note);
      }) {}

llvm::Error mlir::pool::python::makeInvalid(const llvm::Twine &message) {
  return llvm::createStringError(
      std::make_error_code(std::errc::invalid_argument), message);
}
