// Reads and writes files.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Source.h"

#include "Array.h"
#include "pool/Support/OutputFiles.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace mlir::pool;
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

void mlir::pool::python::saveFiles(const std::vector<std::string> &paths,
                                   const std::vector<nb::bytes> &contents) {
  std::vector<OutputFile> files;
  for (size_t i = 0; i < std::min(paths.size(), contents.size()); ++i)
    files.push_back(
        {paths[i], [data = contents[i].c_str(), size = contents[i].size()](
                       llvm::raw_ostream &os) { os.write(data, size); }});
  auto write = [&] {
    nb::gil_scoped_release release;
    return writeFiles(files);
  };
  if (llvm::Error error = write())
    raise(std::move(error), PyExc_OSError);
}
