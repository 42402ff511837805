// Paths and files as arguments of functions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_SOURCE_H
#define POOL_PYTHON_SOURCE_H

#include <nanobind/nanobind.h>
#include <string>
#include <vector>

namespace mlir::pool::python {

/// Returns the path that `object` gives: a str, bytes or os.PathLike.
std::string getPath(nanobind::handle object);

/// Returns the contents of a file. Raises the subclass of OSError for the
/// reason, such as FileNotFoundError.
std::string readFile(const std::string &path);

/// Writes each of `contents` to the path with the same index. Raises OSError if
/// it cannot write all files; then it changes no regular file.
void saveFiles(const std::vector<std::string> &paths,
               const std::vector<nanobind::bytes> &contents);

} // namespace mlir::pool::python

#endif // POOL_PYTHON_SOURCE_H
