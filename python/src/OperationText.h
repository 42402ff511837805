// Texts by which programs of JAX describe operations. A text has no types, so
// it has the same meaning in another process.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_OPERATIONTEXT_H
#define POOL_PYTHON_OPERATIONTEXT_H

#include "Request.h"

namespace mlir::pool::python {

/// Target name of the custom calls. A call's attribute `operation` is a text.
/// If the meaning of these texts changes, the number in this name must grow.
constexpr StringLiteral kTarget = "pool_mlir.1";

/// Returns the word before `=` by which a text gives the spatial extents of the
/// result. Returns an empty string if operands and attributes determine these
/// extents.
StringRef getExtentsWord(StringRef operation);

/// Reads a text such as `pool.max_pool kernel=3,3 nan_mode=propagate
/// indices=32` into `request`, which refers to the text. Skips the word of the
/// result's extents: the caller has the whole shape of the result. Returns
/// false for another syntax.
bool parseOperation(StringRef text, Request &request);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_OPERATIONTEXT_H
