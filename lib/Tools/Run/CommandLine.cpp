// Parses the command line of pool-run, and prints its help.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandLine.h"

#include "../Module.h"
#include "pool/ExecutionEngine/Program.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::run;

static constexpr char kRunOverview[] =
    R"(Runs a function of an MLIR module on NumPy arrays.

The module may hold pool operations and any of upstream's that lower to LLVM.
It is lowered, compiled for this machine and called; all results are written,
or nothing is.
)";

static constexpr char kRunExtraHelp[] = R"(
EXAMPLE:

  $ cat pool.mlir
  func.func @main(%x: tensor<1x3x?x?xf32>) -> tensor<1x3x?x?xf32> {
    %y = pool.max_pool %x kernel [2, 2] strides [2, 2]
           : tensor<1x3x?x?xf32> -> tensor<1x3x?x?xf32>
    return %y : tensor<1x3x?x?xf32>
  }
  $ python3 -c 'import numpy as np; np.save("x.npy", np.ones((1,3,8,8), "f4"))'
  $ pool-run pool.mlir --input x.npy --output y.npy

ARRAYS:

  f16, f32, f64, i8 to i64, si8 to si64, ui8 to ui64 and i1 are NumPy's types of
  the same kind and size; signless integers are signed. bf16 is '<V2', as
  ml_dtypes writes it, and index is int64. A scalar is an array of rank 0.
  Inputs may be big-endian or in Fortran order.

BATCH:

  Each line of a --batch file is one run: ENTRY INPUT... -> OUTPUT...
  Paths with blanks are quoted; '#' starts a comment. The module is compiled
  once; a run that fails is reported with its line, and the others go on.

EXIT CODE:

  0  all results are written
  1  something failed: the module, a file, a type, a run-time check
  2  the command line is wrong
)";

static bool reject(const llvm::Twine &message) {
  fail("pool-run", message);
  return false;
}

/// Rewrites `--input A B` to `--input=A --input=B`, and `--output` likewise,
/// because LLVM's command-line library takes one value for each option. The
/// first argument after the option is a path. Each further argument is a path
/// too if it ends in .npy. If a path is missing, prints an error and returns
/// false.
static bool splitPaths(ArrayRef<char *> arguments,
                       std::vector<std::string> &result) {
  std::string list;
  bool needsPath = false;
  auto rejectPathless = [&] { return reject(list + " takes a path"); };
  for (StringRef argument : arguments) {
    if (argument.starts_with("-")) {
      if (needsPath)
        return rejectPathless();
      StringRef name = argument.ltrim('-').split('=').first;
      list = name == "input" || name == "output" ? ("--" + name).str() : "";
      needsPath = !list.empty() && !argument.contains('=');
      if (needsPath)
        continue;
    } else if (!list.empty() && (needsPath || argument.ends_with(".npy"))) {
      result.push_back(list + "=" + argument.str());
      needsPath = false;
      continue;
    }
    result.push_back(argument.str());
  }
  return needsPath ? rejectPathless() : true;
}

/// Prints an error and returns false if options contradict each other, or if an
/// option has no effect because of another one.
static bool check(const CommandLine &line) {
  if (!line.batch.empty()) {
    if (!line.entry.empty() || !line.inputs.empty() || !line.outputs.empty())
      return reject("--batch names entries, inputs and outputs itself");
    if (line.repeat)
      return reject("--batch cannot be combined with --repeat");
    if (line.batch == "-" && line.file == "-")
      return reject("module and batch cannot both come from standard input");
  }
  if (line.guard != GuardMode::None && line.threads != 1)
    return reject("--guard-pages needs one thread: only the calling one is "
                  "watched");
  if (line.path == Path::Reference) {
    constexpr StringRef why = " has no effect with --path=reference, which "
                              "compiles nothing";
    if (line.guard != GuardMode::None)
      return reject("--guard-pages" + why);
    if (!line.runtimeChecks)
      return reject("--runtime-checks=false" + why);
    if (line.threads != 1)
      return reject("--threads" + why);
    if (line.useCache)
      return reject("--cache" + why);
    if (!line.cpu.empty())
      return reject("--mcpu" + why);
    if (!line.features.empty())
      return reject("--mattr" + why);
    if (line.optLevel.getNumOccurrences())
      return reject("-O" + why);
  }
  return true;
}

bool CommandLine::parse(int argc, char **argv) {
  cl::extrahelp extraHelp(kRunExtraHelp);
  std::vector<std::string> arguments;
  if (!splitPaths(ArrayRef(argv, argc), arguments))
    return false;
  std::vector<const char *> pointers;
  pointers.reserve(arguments.size());
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  if (!cl::ParseCommandLineOptions(pointers.size(), pointers.data(),
                                   kRunOverview, &llvm::errs()))
    return false;
  if (repeat.getNumOccurrences() && repeat == 0)
    return reject("--repeat takes a number of 1 or more");
  if (threads < 1 || threads > kMaxThreads)
    return reject("--threads takes a number from 1 to " +
                  llvm::Twine(kMaxThreads));
  if (optLevel > 3)
    return reject("-O takes a level from 0 to 3");
  if (batch.getNumOccurrences() && batch.empty())
    return reject("--batch takes a file");
  return check(*this);
}
