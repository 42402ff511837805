// The options of pool-run.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_TOOLS_RUN_COMMANDLINE_H
#define POOL_LIB_TOOLS_RUN_COMMANDLINE_H

#include "pool/ExecutionEngine/Buffer.h"
#include "pool/Support/ListingOption.h"

#include <string>

namespace mlir::pool::run {

namespace cl = llvm::cl;

/// The implementation that computes the function.
enum class Path { Vector, Linalg, Affine, Reference };

/// The options of pool-run. They are registered in LLVM's command-line library
/// as long as this object exists.
struct CommandLine {
  cl::OptionCategory category{"pool-run options"};
  cl::opt<std::string> file{cl::Positional, cl::Required, cl::cat(category),
                            cl::desc("FILE"), cl::value_desc("FILE")};
  cl::opt<std::string> entry{
      "entry", cl::cat(category), cl::value_desc("NAME"),
      cl::desc("The function to run; may be left out if only one is public")};
  cl::list<std::string> inputs{
      "input", cl::cat(category), cl::value_desc("A.npy ..."),
      cl::desc("One array for each argument, in order")};
  cl::list<std::string> outputs{"output", cl::cat(category),
                                cl::value_desc("Y.npy ..."),
                                cl::desc("One file for each result, in order")};
  cl::opt<std::string> batch{"batch", cl::cat(category),
                             cl::value_desc("RUNS.txt"),
                             cl::desc("Run each line of a file (see below)")};
  ListingOption<cl::opt<Path>> path{
      "path", cl::cat(category),
      cl::desc("Implementation that runs the function:"),
      cl::init(Path::Vector),
      cl::values(clEnumValN(Path::Vector, "vector",
                            "compiled code, lowered to loops over vectors "
                            "(default)"),
                 clEnumValN(Path::Linalg, "linalg",
                            "compiled code, lowered through linalg"),
                 clEnumValN(Path::Affine, "affine",
                            "compiled code, lowered to affine loops"),
                 clEnumValN(Path::Reference, "reference",
                            "the reference interpreter; pool operations and "
                            "little else"))};
  cl::opt<unsigned> repeat{
      "repeat", cl::cat(category), cl::value_desc("N"),
      cl::desc("Call N times and print min_us=X median_us=Y calls=N")};
  cl::opt<bool> runtimeChecks{
      "runtime-checks", cl::cat(category), cl::init(true),
      cl::desc(
          "Check at run time the constraints on dynamic extents (default)")};
  ListingOption<cl::opt<GuardMode>> guard{
      "guard-pages", cl::cat(category), cl::init(GuardMode::None),
      cl::desc("Put an unreadable page flush against each buffer and make "
               "inputs read-only:"),
      cl::values(clEnumValN(GuardMode::None, "none", "no guards (default)"),
                 clEnumValN(GuardMode::Begin, "begin", "before its first byte"),
                 clEnumValN(GuardMode::End, "end", "after its last byte"))};
  cl::opt<unsigned> optLevel{"O",
                             cl::Prefix,
                             cl::cat(category),
                             cl::init(3),
                             cl::value_desc("0..3"),
                             cl::desc("Optimisation level (default 3)")};
  cl::opt<std::string> cpu{
      "mcpu", cl::cat(category), cl::value_desc("CPU"),
      cl::desc("Processor to compile for; this machine must be able to run "
               "its code (default: this machine's)")};
  cl::opt<std::string> features{
      "mattr", cl::cat(category), cl::value_desc("+A,-B"),
      cl::desc("Features to add to the processor or remove")};
  cl::opt<bool> useCache{
      "cache", cl::cat(category),
      cl::desc("Keep the machine code in the directory POOL_CACHE_DIR, or else "
               "in the user's cache, and reuse it")};
  cl::opt<int64_t> threads{
      "threads", cl::cat(category), cl::init(1), cl::value_desc("N"),
      cl::desc("Let up to N threads run each call, if there is enough work "
               "(default 1)")};

  /// Parses the command line. If it has an error, prints the error on standard
  /// error and returns false. `--help` and `--version` end the process.
  bool parse(int argc, char **argv);
};

} // namespace mlir::pool::run

#endif // POOL_LIB_TOOLS_RUN_COMMANDLINE_H
