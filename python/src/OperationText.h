// Texts by which programs of JAX describe operations, such as `pool.max_pool
// kernel=3,3,`. A text has no types of operands: each call has those. So a text
// has the same meaning in another process.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_OPERATIONTEXT_H
#define POOL_PYTHON_OPERATIONTEXT_H

#include "Request.h"

namespace mlir::pool::python {

/// Target name of the custom calls. The attribute `operation` of a call is a
/// text as described above. If the meaning of these texts changes, the number
/// in this name must grow.
constexpr StringLiteral kTarget = "pool_mlir.1";

/// Returns the name by which a text gives the spatial extents of the result:
/// `output` for max_unpool, as in `output=4,4,`, and `input` for avg_pool_grad.
/// For all other operations, operands and attributes determine these extents,
/// and the name is empty.
StringRef getExtentsWord(StringRef operation);

/// Reads a text such as `pool.max_pool kernel=3,3, nan_mode=propagate
/// indices=32` into `request`, which then refers to the text. Skips the extents
/// of the result, because the caller knows the whole shape of the result.
/// Returns false for another syntax.
bool parseOperation(StringRef text, Request &request);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_OPERATIONTEXT_H
