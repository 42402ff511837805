// Diagnostics of a context as one text, for an exception to carry.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_DIAGNOSTICS_H
#define POOL_PYTHON_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::pool::python {

/// Collects the messages of errors, and of the notes on them, for as long as it
/// lives: `file:line:column: error: message` where they are about a place in a
/// file, else the message alone.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(MLIRContext *context);

  /// One message a line; empty if there was none.
  const std::string &getText() const { return text; }

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};

/// An error that is the caller's: what was passed is not valid. Others are
/// failures to do what is valid.
llvm::Error makeInvalid(const llvm::Twine &message);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_DIAGNOSTICS_H
