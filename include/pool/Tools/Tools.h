// The main functions of the tools, similar to upstream's in mlir/Tools. The
// programs and the commands of the Python package call them.
//
// Each function parses the whole command line and returns the exit code. Call
// only one of them in a process, and call it only once, because it registers
// passes and options. If the command line has an error, `--help` or
// `--version`, the function may end the process.
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
