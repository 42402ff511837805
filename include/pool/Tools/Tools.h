// The tools as functions, as mlir/Tools has upstream's: for the programs, and
// for the Python module, whose package has them as commands.
//
// Each parses the whole command line and returns the code for the shell. Called
// once in a process: they register passes, and options that stay. What is wrong
// with the command line, `--help` and `--version` may end the process.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_TOOLS_TOOLS_H
#define POOL_TOOLS_TOOLS_H

namespace llvm {
class StringRef;
} // namespace llvm

namespace mlir::pool {

using ToolMain = int(int argc, char **argv);

/// The tool of that name, such as "pool-opt"; null if there is none.
ToolMain *findTool(llvm::StringRef name);

int compileMain(int argc, char **argv);
int optMain(int argc, char **argv);
int runMain(int argc, char **argv);
int translateMain(int argc, char **argv);

} // namespace mlir::pool

#endif // POOL_TOOLS_TOOLS_H
