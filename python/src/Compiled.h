// Modules compiled by compile(): their functions for calls from Python, and the
// files they can be saved as.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PYTHON_COMPILED_H
#define POOL_PYTHON_COMPILED_H

#include "pool/ExecutionEngine/Library.h"
#include "pool/ExecutionEngine/Plans.h"
#include "pool/ExecutionEngine/Program.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::pool::python {

/// Names of functions, with the code and text of their module, which objects
/// for subsets of its functions share. Immutable and thread-safe.
class Compiled {
public:
  /// Compiles the functions `entries`, or all public ones if it is empty, of a
  /// module as text or bytecode, for the processor `cpu`, this machine's if it
  /// is empty. `name` is the file in diagnostics. Errors in the module, which
  /// are as MLIR prints them, and in `cpu` are made by `makeInvalid`. Runs
  /// without the GIL.
  static llvm::Expected<Compiled> compile(std::string source,
                                          const std::string &name,
                                          std::vector<std::string> entries,
                                          unsigned threads, std::string cpu);

  const std::vector<std::string> &getEntries() const { return entries; }

  /// Returns the only function. Fails, listing the names, if there are more.
  llvm::Expected<const Entry *> getEntry() const;

  /// Returns an object with the function `entry` only.
  llvm::Expected<Compiled> select(const std::string &entry) const;

  /// Seconds that the stages of compiling took.
  const CompileTimes &getCompileTimes() const;

  /// The module as text.
  std::string getMLIR() const;

  /// How pooling in a module is lowered. Errors are made by `makeInvalid`.
  static llvm::Expected<std::vector<OperationPlan>>
  plan(const std::string &source, const std::string &name,
       const PlanOptions &options);
  /// How that of the functions was. The module is planned anew, so that neither
  /// compiling nor what is kept of it has to tell.
  llvm::Expected<std::vector<OperationPlan>> getPlans() const;

  /// Compiles the functions for other programs. The processor is the one that
  /// they were compiled for if `options` name neither target nor processor.
  llvm::Expected<std::unique_ptr<Library>>
  makeLibrary(LibraryOptions options) const;

private:
  static llvm::Expected<std::unique_ptr<Program>>
  compile(const std::string &source, const std::string &name,
          CompileOptions options);

  struct State;
  Compiled(std::shared_ptr<const State> state, std::vector<std::string> entries)
      : state(std::move(state)), entries(std::move(entries)) {}

  std::shared_ptr<const State> state;
  std::vector<std::string> entries;
};

} // namespace mlir::pool::python

#endif // POOL_PYTHON_COMPILED_H
