// Files and texts that functions take.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_SOURCE_H
#define POOL_PYTHON_SOURCE_H

#include <nanobind/nanobind.h>
#include <string>

namespace mlir::pool::python {

/// The path that a str, bytes or os.PathLike is.
std::string getPath(nanobind::handle object);

/// The contents of a file. Raises OSError, with Python's type for the reason.
std::string readFile(const std::string &path);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_SOURCE_H
