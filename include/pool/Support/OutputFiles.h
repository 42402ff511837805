// Writes all output files of a tool completely, or changes none of them.
// Special files such as pipes are the exception.
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

/// A file to write. `print` writes its contents to a stream.
struct OutputFile {
  std::string path;
  std::function<void(raw_ostream &)> print;
};

/// Writes `outputs` to their paths. A file that is regular or does not exist is
/// first written under a temporary name beside its path. Then all temporary
/// files are renamed. If a step fails, no regular file is changed: files that
/// were already replaced get their old contents back (unless that fails, too),
/// and new files are removed. Pipes, devices and other special files are
/// written in place before the renames, so they cannot be restored. Fails if
/// two paths lead to the same regular file.
llvm::Error writeFiles(ArrayRef<OutputFile> outputs);

} // namespace mlir::pool

#endif // POOL_SUPPORT_OUTPUTFILES_H
