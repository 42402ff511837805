// Paths and files that functions take.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_SOURCE_H
#define POOL_PYTHON_SOURCE_H

#include <nanobind/nanobind.h>
#include <string>
#include <vector>

namespace mlir::pool::python {

/// Path of a str, bytes or os.PathLike.
std::string getPath(nanobind::handle object);

/// Reads a file. Raises OSError, of Python's type for the reason.
std::string readFile(const std::string &path);

/// Writes each of `contents`, which are bytes, to its file: all files or none.
/// Raises OSError.
void saveFiles(const std::vector<std::string> &paths,
               const std::vector<nanobind::bytes> &contents);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_SOURCE_H
