// Writes the files of a tool: all of them completely, or none.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_EXECUTIONENGINE_OUTPUTFILES_H
#define POOL_EXECUTIONENGINE_OUTPUTFILES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <string>

namespace mlir::pool {

/// A file, and the function that prints its contents.
struct OutputFile {
  std::string path;
  std::function<void(raw_ostream &)> print;
};

/// Writes every file under a temporary name beside its path, then renames all
/// of them. An error, even in the last rename, leaves every regular file as it
/// was. Pipes, devices and other files are written in place before the renames.
/// Fails if two paths lead to one file.
llvm::Error writeFiles(ArrayRef<OutputFile> outputs);

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_OUTPUTFILES_H
