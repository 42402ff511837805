// Collects diagnostics of a context as text for an exception.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_DIAGNOSTICS_H
#define POOL_PYTHON_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::pool::python {

/// Collects errors and their notes during its lifetime. If a message has a
/// location in a file, it begins with `file:line:column: error: `. Otherwise,
/// if its location has a name, it begins with that name and `: error: `. Notes
/// have `note` instead of `error`.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(MLIRContext *context);

  /// Returns the messages, with a line break between two. Empty if there was
  /// none.
  const std::string &getText() const { return text; }

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};

/// Returns an error which says that the caller's arguments are not valid.
/// `raise` in Array.h raises it as ValueError. Failures on valid arguments must
/// not use it.
llvm::Error makeInvalid(const llvm::Twine &message);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_DIAGNOSTICS_H
