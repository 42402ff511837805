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
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace mlir;

/// Leaves out the note that follows an error with the whole operation in the
/// generic form: the place in the file says more.
/// --mlir-print-op-on-diagnostic adds it.
static void printErrorsAlone() {
  registerMLIRContextCLOptions();
  auto *option =
      llvm::cl::getRegisteredOptions().lookup("mlir-print-op-on-diagnostic");
  static_cast<llvm::cl::opt<bool> *>(option)->setInitialValue(false);
}

namespace {
struct PassGroup {
  llvm::StringLiteral title;
  llvm::ArrayRef<llvm::StringLiteral> names;
};
} // namespace

/// Prints this project's passes and pipelines with their options, in groups.
static void printPoolHelp() {
  static constexpr llvm::StringLiteral kPipelines[] = {"pool-to-llvm"};
  static constexpr llvm::StringLiteral kRaising[] = {
      "convert-linalg-to-pool", "convert-stablehlo-to-pool",
      "convert-tosa-to-pool"};
  static constexpr llvm::StringLiteral kTransforms[] = {
      "pool-adaptive-to-window",
      "pool-decompose",
      "pool-insert-runtime-checks",
      "pool-partition",
      "pool-recompute-indices",
      "pool-resolve-windows",
      "pool-select-plan"};
  static constexpr llvm::StringLiteral kLowering[] = {
      "convert-pool-to-affine",     "convert-pool-to-linalg",
      "convert-pool-to-loops",      "convert-pool-to-stablehlo",
      "convert-pool-to-tosa",       "convert-pool-to-vector",
      "convert-stablehlo-to-linalg"};
  static constexpr llvm::StringLiteral kSteps[] = {
      "pool-align-allocations",
      "pool-arithmetic-to-linalg",
      "pool-bufferize",
      "pool-carry-bf16",
      "pool-expand-masked-accesses",
      "pool-expand-strided-copies",
      "pool-fence-streamed-stores",
      "pool-flatten-control-flow",
      "pool-internalize-functions",
      "pool-keep-roundings",
      "pool-lower-assertions",
      "pool-lower-in-parts",
      "pool-mark-entry-points",
      "pool-mark-out-params",
      "pool-require-bufferizable",
      "pool-require-llvm",
      "pool-results-to-out-params",
      "pool-select-parallel-loops",
      "pool-separate-destinations",
      "pool-separate-masked-loads",
      "pool-split-deallocations"};
  static constexpr PassGroup kGroups[] = {{"Pipelines", kPipelines},
                                          {"To the pool dialect", kRaising},
                                          {"On the pool dialect", kTransforms},
                                          {"From the pool dialect", kLowering},
                                          {"Steps of pool-to-llvm", kSteps}};
  for (const PassGroup &group : kGroups) {
    llvm::outs() << group.title << ":\n";
    for (llvm::StringRef name : group.names) {
      const PassRegistryEntry *entry = PassInfo::lookup(name);
      if (!entry)
        entry = PassPipelineInfo::lookup(name);
      if (entry)
        entry->printHelpStr(/*indent=*/2, /*descIndent=*/44);
    }
    llvm::outs() << "\n";
  }
}

int mlir::pool::optMain(int argc, char **argv) {
  pool::addVersionPrinter();
  mlir::registerAllPasses();
  pool::registerAllPasses();

  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  // gpu-module-to-binary translates to LLVM IR from within the pipeline.
  registerAllGPUToLLVMIRTranslations(registry);
  pool::registerAllDialects(registry);

  printErrorsAlone();
  llvm::cl::opt<bool> helpPool(
      "help-pool", llvm::cl::ValueDisallowed,
      llvm::cl::desc("List the passes and pipelines of the pool dialect alone"),
      llvm::cl::cat(llvm::cl::getGeneralCategory()),
      llvm::cl::callback([](const bool &) {
        printPoolHelp();
        std::exit(0);
      }));
  llvm::cl::extrahelp extraHelp(
      "\nPOOL DIALECT:\n\n  --help-pool lists this project's passes alone.\n");
  return asMainReturnCode(
      MlirOptMain(argc, argv, "Pooling optimizer driver\n", registry));
}
