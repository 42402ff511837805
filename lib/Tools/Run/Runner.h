// Runs functions on arrays in files. Checks types and shapes before it reads
// elements, and writes all results last.
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

/// One call: a function, and the files of its arguments and results.
struct Job {
  std::string entry;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
};

/// A job whose input files have been read and fit the function's type.
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

  /// Checks the job's files against the function and reads the inputs.
  llvm::Expected<LoadedJob> load(const Job &job);

  /// Compiles these functions, unless the path interprets them.
  llvm::Error prepare(std::vector<std::string> entries);

  /// Calls the function as often as the options say, and writes its results.
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
