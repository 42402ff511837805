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

/// Compiled functions of a module, by name. Objects that `select` returns share
/// the code and the text of the module. Immutable and thread-safe.
class Compiled {
public:
  /// The source of a module, and the options of its compilation.
  struct Origin {
    /// `source` is the module as text or bytecode. `name` is the file name for
    /// diagnostics.
    std::string source, name;
    /// LLVM's name of the processor to compile for. Empty for this machine's
    /// processor.
    std::string cpu;
    unsigned threads;
  };

  /// Compiles the functions `entries` of a module, or all public functions if
  /// `entries` is empty. `makeInvalid` makes the error if the module is
  /// invalid, with MLIR's diagnostics as text, and if the processor is unknown
  /// or lacks a feature. Needs no GIL.
  static llvm::Expected<Compiled> compile(Origin origin,
                                          std::vector<std::string> entries);

  const std::vector<std::string> &getEntries() const { return entries; }

  /// Returns the source and the options that were given to `compile`.
  const Origin &getOrigin() const;

  /// Returns the only function. If there are several, fails with an error that
  /// lists their names.
  llvm::Expected<const Entry *> getEntry() const;

  /// Returns an object that has only the function `entry`. Fails if there is no
  /// such function.
  llvm::Expected<Compiled> select(const std::string &entry) const;

  /// Returns the functions with the types of their arguments and results, one
  /// function on each line.
  std::string str() const;

  /// Returns the seconds that each stage of the compilation took. If the code
  /// came from the cache on disk, all except `linking` are 0.
  const CompileTimes &getCompileTimes() const;

  /// Returns the module in MLIR's text form. Parses the source again.
  std::string getMLIR() const;

  /// Returns the plans of all pooling operations in a module, without compiling
  /// it. If MLIR emits diagnostics, `makeInvalid` makes the error from them.
  static llvm::Expected<std::vector<OperationPlan>>
  plan(const std::string &source, const std::string &name,
       const PlanOptions &options);
  /// Returns the plans of the pooling operations in the functions of this
  /// object. Makes them again, because neither this object nor cached code
  /// keeps plans.
  llvm::Expected<std::vector<OperationPlan>> getPlans() const;

  /// Compiles the functions again, as a library for other programs. If
  /// `options` name neither target nor processor, the library is for the
  /// processor that `compile` was given.
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
