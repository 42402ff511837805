// Reads files.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Source.h"

#include "llvm/Support/MemoryBuffer.h"

#include <cerrno>
#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace mlir::pool::python;

std::string mlir::pool::python::getPath(nb::handle object) {
  return nb::cast<std::string>(
      nb::module_::import_("os").attr("fsdecode")(object));
}

std::string mlir::pool::python::readFile(const std::string &path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFile(path);
  if (file)
    return (*file)->getBuffer().str();
  errno = file.getError().value();
  PyErr_SetFromErrnoWithFilename(PyExc_OSError, path.c_str());
  throw nb::python_error();
}
