// pool-opt: mlir-opt with this project's dialect, passes and pipelines added.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Tools/Tools.h"

#include "pool/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

/// Lets errors leave out the note with the whole operation in the generic form,
/// because the location helps more. The option --mlir-print-op-on-diagnostic
/// adds the note.
static void printErrorsAlone() {
  registerMLIRContextCLOptions();
  auto *option =
      llvm::cl::getRegisteredOptions().lookup("mlir-print-op-on-diagnostic");
  static_cast<llvm::cl::opt<bool> *>(option)->setInitialValue(false);
}

int mlir::pool::optMain(int argc, char **argv) {
  pool::addVersionPrinter();
  pool::registerAllPasses();
  // --help-pool lists all registered passes, so handle it before upstream's
  // passes are registered.
  if (llvm::is_contained(llvm::ArrayRef(argv, argc),
                         llvm::StringRef("--help-pool"))) {
    printRegisteredPasses();
    llvm::outs() << "Pipelines:\n";
    const PassPipelineInfo *pipeline = PassPipelineInfo::lookup("pool-to-llvm");
    // printHelpStr fills up to a column. A smaller column would give a negative
    // number of spaces.
    pipeline->printHelpStr(/*indent=*/2, pipeline->getOptionWidth() + 4);
    return 0;
  }
  mlir::registerAllPasses();

  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  // gpu-module-to-binary translates to LLVM IR from within the pipeline, and
  // needs these translations.
  registerAllGPUToLLVMIRTranslations(registry);
  pool::registerAllDialects(registry);

  printErrorsAlone();
  llvm::cl::extrahelp extraHelp(
      "\nPOOL DIALECT:\n\n  --help-pool lists this project's passes alone.\n");
  return asMainReturnCode(
      MlirOptMain(argc, argv, "Pooling optimizer driver\n", registry));
}
