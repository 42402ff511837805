// Compiled modules as bytes, for the cache of machine code.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_EXECUTIONENGINE_PROGRAMIMAGE_H
#define POOL_LIB_EXECUTIONENGINE_PROGRAMIMAGE_H

#include "pool/ExecutionEngine/Program.h"

namespace mlir::pool {

/// The key of what `options.source` is compiled to by `options`: equal only
/// where the machine code would be. It names this library, LLVM and the host's
/// processor. Empty if a build of these cannot be told from another.
std::string getImageKey(const CompileOptions &options);

/// Everything of a program that is not in this process alone.
struct ProgramImage {
  struct Function {
    std::string name;
    Signature signature;
  };
  std::vector<Function> functions;
  /// Object code. It is somebody else's.
  StringRef object;

  std::string write() const;
  /// Reads what `write` gave. `object` is a part of `bytes`.
  static llvm::Expected<ProgramImage> read(StringRef bytes);
};

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_PROGRAMIMAGE_H
