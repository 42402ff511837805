// Compiled modules as bytes, for the cache of machine code.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_EXECUTIONENGINE_PROGRAMIMAGE_H
#define POOL_LIB_EXECUTIONENGINE_PROGRAMIMAGE_H

#include "Lowering.h"
#include "pool/ExecutionEngine/Program.h"

namespace mlir::pool {

/// Returns the key of the machine code that `compileToObject` makes of
/// `entries` of the module that `source` describes. Empty `entries` mean all
/// public functions. Equal keys mean equal code: the key also names the builds
/// of this library, MLIR and LLVM, and the host's processor. Returns an empty
/// string if one of these builds has no build-id.
std::string getImageKey(const CodeOptions &options,
                        ArrayRef<std::string> entries, StringRef source);

/// The parts of a program that another process can use.
struct ProgramImage {
  struct Function {
    std::string name;
    Signature signature;
  };
  std::vector<Function> functions;
  /// Object code, owned by the caller.
  StringRef object;

  std::string write() const;
  /// Reads the result of `write`. `object` refers to `bytes`.
  static llvm::Expected<ProgramImage> read(StringRef bytes);
};

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_PROGRAMIMAGE_H
