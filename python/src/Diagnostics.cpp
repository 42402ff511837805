// Collects diagnostics.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Diagnostics.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::pool::python;

DiagnosticCollector::DiagnosticCollector(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        auto add = [&](const Diagnostic &what, const char *kind) {
          llvm::raw_string_ostream os(text);
          if (!text.empty())
            os << "\n";
          Location location = what.getLocation();
          if (auto place = location->findInstanceOf<FileLineColLoc>())
            os << place.getFilename().getValue() << ":" << place.getLine()
               << ":" << place.getColumn() << ": " << kind << ": ";
          // Importers give operations the names of the model's layers, so show
          // that name.
          else if (auto name = location->findInstanceOf<NameLoc>())
            os << name.getName() << ": " << kind << ": ";
          os << what.str();
        };
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return;
        add(diagnostic, "error");
        for (const Diagnostic &note : diagnostic.getNotes())
          add(note, "note");
      }) {}

llvm::Error mlir::pool::python::makeInvalid(const llvm::Twine &message) {
  return llvm::createStringError(
      std::make_error_code(std::errc::invalid_argument), message);
}
