// Paths and files as arguments of functions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_SOURCE_H
#define POOL_PYTHON_SOURCE_H

#include <nanobind/nanobind.h>
#include <string>
#include <vector>

namespace mlir::pool::python {

/// Returns the path of a str, bytes or os.PathLike.
std::string getPath(nanobind::handle object);

/// Reads a file. Raises a subclass of OSError for the reason.
std::string readFile(const std::string &path);

/// Writes each of `contents`, which are bytes, to its path: all files or none.
/// Raises OSError.
void saveFiles(const std::vector<std::string> &paths,
               const std::vector<nanobind::bytes> &contents);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_SOURCE_H
