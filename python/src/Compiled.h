// Modules that compile() has compiled: calls of their functions from Python,
// and object files.
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

/// Compiled functions of a module, by name. An object that select() returns
/// shares the code and the text of the module. Immutable and thread-safe.
class Compiled {
public:
  /// A module, and how to compile it.
  struct Origin {
    /// Text or bytecode, and the name of its file in diagnostics.
    std::string source, name;
    /// The processor, this machine's if empty.
    std::string cpu;
    unsigned threads;
  };

  /// Compiles functions of a module: `entries`, or all public functions if
  /// `entries` is empty. If the module or the processor is at fault,
  /// `makeInvalid` makes the error; for the module, it has MLIR's diagnostics.
  /// Needs no GIL.
  static llvm::Expected<Compiled> compile(Origin origin,
                                          std::vector<std::string> entries);

  const std::vector<std::string> &getEntries() const { return entries; }

  /// What compile() was given.
  const Origin &getOrigin() const;

  /// Returns the only function. Fails, listing the names, if there are more.
  llvm::Expected<const Entry *> getEntry() const;

  /// Returns an object with the function `entry` only.
  llvm::Expected<Compiled> select(const std::string &entry) const;

  /// The functions with the types of their arguments and results, one a line if
  /// there are several.
  std::string str() const;

  /// Seconds of each stage of compiling.
  const CompileTimes &getCompileTimes() const;

  /// The module as text.
  std::string getMLIR() const;

  /// Plans the pooling operations of a module. Errors with MLIR's diagnostics
  /// are made by `makeInvalid`.
  static llvm::Expected<std::vector<OperationPlan>>
  plan(const std::string &source, const std::string &name,
       const PlanOptions &options);
  /// Plans the pooling operations of the functions. Plans them again, so that
  /// neither compiling nor cached code has to keep plans.
  llvm::Expected<std::vector<OperationPlan>> getPlans() const;

  /// Compiles the functions for other programs. If `options` name neither
  /// target nor processor, the library is for the processor of `compile`.
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
