// Modules that compile() has compiled: their functions, to be called from
// Python, and what they can be saved as.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_COMPILED_H
#define POOL_PYTHON_COMPILED_H

#include "pool/ExecutionEngine/Library.h"
#include "pool/ExecutionEngine/Program.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::pool::python {

/// Names of functions, and the code and text of the module that has them, which
/// objects for fewer of its functions share. Constant; any thread may call it.
class Compiled {
public:
  /// Compiles the functions `entries`, all public ones if it is empty, of a
  /// module as text or bytecode. `name` stands in the diagnostics' locations.
  /// Errors in the module are made by `makeInvalid`, as MLIR prints them. No
  /// Python is called.
  static llvm::Expected<Compiled> compile(std::string source,
                                          const std::string &name,
                                          std::vector<std::string> entries,
                                          unsigned threads);

  const std::vector<std::string> &getEntries() const { return entries; }

  /// The one function there is. Fails, with their names, if there are more.
  llvm::Expected<const Entry *> getEntry() const;

  /// The same with the function `entry` alone.
  llvm::Expected<Compiled> select(const std::string &entry) const;

  /// Seconds that the stages of compiling took.
  const CompileTimes &getCompileTimes() const;

  /// The module as text.
  const std::string &getMLIR() const;

  /// The functions compiled for other programs; with the processor of this
  /// machine, where `options` name neither target nor processor.
  llvm::Expected<std::unique_ptr<Library>>
  makeLibrary(LibraryOptions options) const;

private:
  struct State;
  Compiled(std::shared_ptr<const State> state, std::vector<std::string> entries)
      : state(std::move(state)), entries(std::move(entries)) {}

  std::shared_ptr<const State> state;
  std::vector<std::string> entries;
};

} // namespace mlir::pool::python

#endif // POOL_PYTHON_COMPILED_H
