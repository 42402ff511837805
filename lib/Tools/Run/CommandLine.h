// pool-run's command line.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_TOOLS_RUN_COMMANDLINE_H
#define POOL_LIB_TOOLS_RUN_COMMANDLINE_H

#include "pool/ExecutionEngine/Buffer.h"

#include <string>
#include <vector>

namespace mlir::pool::run {

/// Exit codes.
enum ExitCode { kSuccess = 0, kFailure = 1, kUsage = 2 };

/// The implementation that runs the function.
enum class Path { Vector, Linalg, Affine, Reference };

struct CommandLine {
  std::string file;
  std::string entry;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  /// Path of a file that describes one run in each line; empty if not given.
  std::string batch;
  Path path = Path::Vector;
  bool runtimeChecks = true;
  GuardMode guard = GuardMode::None;
  unsigned optLevel = 3;
  /// The processor and its features; this machine's if empty.
  std::string cpu, features;
  /// Maximum number of threads of a call; 1 compiles code without threads.
  unsigned threads = 1;
  bool useCache = false;
  /// Number of timed calls; 0 for one call without timing.
  unsigned repeat = 0;
};

/// Parses the command line. After an error, prints it on standard error and
/// returns false. `--help` and `--version` print and exit.
bool parseCommandLine(int argc, char **argv, CommandLine &result);

} // namespace mlir::pool::run

#endif // POOL_LIB_TOOLS_RUN_COMMANDLINE_H
