// Writes the files of a tool: all regular files completely, or none of them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_OUTPUTFILES_H
#define POOL_SUPPORT_OUTPUTFILES_H

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

/// Writes each regular file under a temporary name beside its path, then
/// renames all of them. If one of them cannot be written or renamed, the files
/// that were renamed before get their old contents back. Pipes, devices and
/// other special files are written in place before the renames. Fails if two
/// paths lead to one regular file.
llvm::Error writeFiles(ArrayRef<OutputFile> outputs);

} // namespace mlir::pool

#endif // POOL_SUPPORT_OUTPUTFILES_H
