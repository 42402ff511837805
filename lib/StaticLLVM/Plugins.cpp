// Rejects plugins in a static build. This file replaces upstream's library for
// plugins.
//
// A plugin would load the shared libMLIR, and with it a second copy of all
// globals and type ids. Even without a crash, the tool would not recognize the
// plugin's dialects.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

/// Prints an error and ends the process. load() does not return the error,
/// because upstream's tools would ignore it.
[[noreturn]] static void refuse(const std::string &filename) {
  llvm::WithColor::error(llvm::errs())
      << "cannot load '" << filename
      << "': this tool has LLVM and MLIR inside and takes no plugins; one that "
         "is built with the shared libraries does\n";
  std::exit(1);
}

llvm::Expected<mlir::DialectPlugin>
mlir::DialectPlugin::load(const std::string &filename) {
  refuse(filename);
}

llvm::Expected<mlir::PassPlugin>
mlir::PassPlugin::load(const std::string &filename) {
  refuse(filename);
}
