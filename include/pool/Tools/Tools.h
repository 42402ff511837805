// Declares the main functions of the tools, as upstream's mlir/Tools does. The
// programs and the commands of the Python package call them.
//
// Each function parses the whole command line and returns the exit code. A
// process can call only one of them, and only once, because it registers passes
// and options. For `--help`, `--version` or an error in the command line, the
// function may end the process instead of returning.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_TOOLS_TOOLS_H
#define POOL_TOOLS_TOOLS_H

namespace llvm {
class StringRef;
} // namespace llvm

namespace mlir::pool {

using ToolMain = int(int argc, char **argv);

/// Returns the main function of the tool `name`, for example "pool-opt".
/// Returns null if there is no such tool.
ToolMain *findTool(llvm::StringRef name);

int compileMain(int argc, char **argv);
int optMain(int argc, char **argv);
int runMain(int argc, char **argv);
int translateMain(int argc, char **argv);

} // namespace mlir::pool

#endif // POOL_TOOLS_TOOLS_H
