// Plugins in a static build: refused. This takes the place of upstream's
// library.
//
// A plugin brings the shared libMLIR with it, and with that a second copy of
// all globals and type ids: its dialects would be strangers to the tool's, at
// best.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

/// Upstream's tools go on after an error in loading, as if nothing had been
/// asked.
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
