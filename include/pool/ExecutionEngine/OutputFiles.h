// Files that a tool writes: all of them or none, and never half of one.
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

/// A file and what prints its contents.
struct OutputFile {
  std::string path;
  std::function<void(raw_ostream &)> print;
};

/// Writes every file beside its place and renames all of them at the end. An
/// error leaves every regular file as it was, also if the last rename fails.
/// Other files, like devices, are written in place before the renames. Fails if
/// two paths lead to one file.
llvm::Error writeFiles(ArrayRef<OutputFile> outputs);

} // namespace mlir::pool

#endif // POOL_EXECUTIONENGINE_OUTPUTFILES_H
