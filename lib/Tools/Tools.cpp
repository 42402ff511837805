// Finds the main function of a tool by the name of the tool.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Tools/Tools.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir::pool;

ToolMain *mlir::pool::findTool(llvm::StringRef name) {
  return llvm::StringSwitch<ToolMain *>(name)
      .Case("pool-compile", compileMain)
      .Case("pool-opt", optMain)
      .Case("pool-run", runMain)
      .Case("pool-translate", translateMain)
      .Default(nullptr);
}
