// Serialized programs, for the cache of machine code.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_EXECUTIONENGINE_PROGRAMIMAGE_H
#define POOL_LIB_EXECUTIONENGINE_PROGRAMIMAGE_H

#include "Lowering.h"
#include "pool/ExecutionEngine/Program.h"

namespace mlir::pool {

/// Returns the key under which the cache stores the machine code of a module.
/// `source` describes the module, and `entries` are the names of its compiled
/// functions (all public functions if empty). Equal keys mean equal code: the
/// key contains `options`, the builds of this library, MLIR and LLVM, and the
/// host's processor. Returns an empty string if the code cannot be cached,
/// because one of these libraries has no build-id.
std::string getImageKey(const CodeOptions &options,
                        ArrayRef<std::string> entries, StringRef source);

/// The parts of a program that another process can use.
struct ProgramImage {
  struct Function {
    std::string name;
    Signature signature;
  };
  std::vector<Function> functions;
  /// The object code. This object does not own it.
  StringRef object;

  std::string write() const;
  /// Reads the result of `write`. The member `object` of the result points into
  /// `bytes`. Fails if `bytes` is too short.
  static llvm::Expected<ProgramImage> read(StringRef bytes);
};

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_PROGRAMIMAGE_H
