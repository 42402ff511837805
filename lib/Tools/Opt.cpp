// The tool pool-opt: mlir-opt with the dialect, passes and pipelines of this
// project.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Tools/Tools.h"

#include "pool/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// Turns off the note after an error that prints the whole operation in the
/// generic form, because the location helps more. Users can turn it on with
/// --mlir-print-op-on-diagnostic.
static void printErrorsAlone() {
  registerMLIRContextCLOptions();
  auto *option =
      llvm::cl::getRegisteredOptions().lookup("mlir-print-op-on-diagnostic");
  static_cast<llvm::cl::opt<bool> *>(option)->setInitialValue(false);
}

int mlir::pool::optMain(int argc, char **argv) {
  pool::addVersionPrinter();
  // --help-pool lists all passes that are registered. So handle it before
  // upstream's passes are registered.
  if (llvm::is_contained(llvm::ArrayRef(argv, argc),
                         llvm::StringRef("--help-pool"))) {
    pool::registerPoolPasses();
    printRegisteredPasses();
    llvm::outs() << "Pipelines:\n";
    for (llvm::StringRef name : {"pool-to-llvm", "pool-to-gpu"}) {
      // A static build does not have pool-to-gpu.
      const PassPipelineInfo *pipeline = PassPipelineInfo::lookup(name);
      if (!pipeline)
        continue;
      // printHelpStr pads to the column of its second argument. A smaller
      // column would give a negative number of spaces.
      pipeline->printHelpStr(/*indent=*/2, pipeline->getOptionWidth() + 4);
    }
    return 0;
  }
  pool::registerAllPasses();
  DialectRegistry registry;
  pool::registerAllDialects(registry);

  printErrorsAlone();
  llvm::cl::extrahelp extraHelp(
      "\nPOOL DIALECT:\n\n  --help-pool lists this project's passes alone.\n");
  return asMainReturnCode(
      MlirOptMain(argc, argv, "Pooling optimizer driver\n", registry));
}
