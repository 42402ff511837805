// All tools in one program, which acts as the tool by whose name it is called.
// Separate programs would have about 85 MB of LLVM each.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Tools/Tools.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace mlir::pool;

int main(int argc, char **argv) {
  llvm::StringRef name = llvm::sys::path::filename(argc ? argv[0] : "");
  if (ToolMain *tool = findTool(name))
    return tool(argc, argv);
  llvm::WithColor::error() << "'" << name
                           << "' is no tool: call pool-compile, pool-opt, "
                              "pool-run or pool-translate\n";
  return 2;
}
