// Runs functions on arrays in files. Types and shapes are checked before
// elements are read. Results are written at the end.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_TOOLS_RUN_RUNNER_H
#define POOL_LIB_TOOLS_RUN_RUNNER_H

#include "CommandLine.h"

#include "mlir/IR/BuiltinOps.h"
#include "pool/ExecutionEngine/Buffer.h"
#include "pool/ExecutionEngine/Program.h"
#include "pool/Reference/Tensor.h"
#include "llvm/Support/Error.h"

namespace mlir::pool::run {

/// A call to make: the name of a function, and the files of its arguments and
/// results.
struct Job {
  std::string entry;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
};

/// A job whose input files have been read. They fit the type of the function.
struct LoadedJob {
  func::FuncOp func;
  Signature signature;
  SmallVector<ArrayView> inputs;
  std::vector<Buffer> buffers;
  std::vector<std::string> outputs;
};

class Runner {
public:
  Runner(ModuleOp module, const CommandLine &options)
      : module(module), options(options) {}

  /// Checks that the files of `job` fit its function, and reads the inputs.
  llvm::Expected<LoadedJob> load(const Job &job);

  /// Compiles the functions `entries`. Does nothing if the reference
  /// interpreter runs them.
  llvm::Error prepare(std::vector<std::string> entries);

  /// Calls the function once, or as often as `--repeat` says, and writes the
  /// results of the last call.
  llvm::Error run(const LoadedJob &job);

private:
  llvm::Error runCompiled(const LoadedJob &job);
  llvm::Error runReference(const LoadedJob &job);

  ModuleOp module;
  const CommandLine &options;
  std::unique_ptr<Program> program;
};

} // namespace mlir::pool::run

#endif // POOL_LIB_TOOLS_RUN_RUNNER_H
