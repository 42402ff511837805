// Registers dialects, passes and pipelines for tools, libraries and the plugin.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/InitAll.h"

#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Transforms/ExternalModels.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/GPU/PoolToGPU.h"
#include "pool/Pipelines/Pipelines.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

void mlir::pool::registerAllDialects(DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  registerPoolDialect(registry);
}

const DialectRegistry &mlir::pool::getExecutionRegistry() {
  static const auto *registry = [] {
    auto *result = new DialectRegistry();
    pool::registerAllDialects(*result);
    return result;
  }();
  return *registry;
}

void mlir::pool::registerPoolDialect(DialectRegistry &registry) {
  registry.insert<PoolDialect>();
  registerExternalModels(registry);
}

void mlir::pool::registerAllPasses() {
  mlir::registerAllPasses();
  registerPoolPasses();
}

/// Registers `oldName` as another name of the pass that `create` returns. A
/// pipeline with the old name works, and prints a remark with the current one.
static void registerOldName(StringRef oldName,
                            std::function<std::unique_ptr<Pass>()> create) {
  std::string name = create()->getArgument().str();
  registerPassPipeline(
      oldName, "Old name of " + name,
      [=, oldName =
              oldName.str()](OpPassManager &pm, StringRef options,
                             function_ref<LogicalResult(const Twine &)> fail) {
        llvm::WithColor::remark()
            << oldName << " is now named " << name << "\n";
        std::unique_ptr<Pass> pass = create();
        if (failed(pass->initializeOptions(options, fail)))
          return failure();
        pm.addPass(std::move(pass));
        return success();
      },
      [](function_ref<void(const detail::PassOptions &)>) {});
}

void mlir::pool::registerPoolPasses() {
  registerPoolTransformsPasses();
  registerPoolConversionPasses();
  registerPoolPipelines();
  // Deprecated: remove this name in version 0.5.
  registerOldName("pool-partition", [] { return createPoolTileChains(); });
#ifdef POOL_HAS_GPU
  registerPoolGPU();
#endif
}

void mlir::pool::addVersionPrinter() {
  llvm::cl::AddExtraVersionPrinter(
      [](raw_ostream &os) { os << "pool-mlir version " POOL_VERSION "\n"; });
}

void mlir::pool::removeForeignOptions() {
  SmallVector<llvm::cl::Option *> foreign;
  for (auto &entry : llvm::cl::getRegisteredOptions()) {
    llvm::cl::Option *option = entry.second;
    if (llvm::none_of(option->Categories, [](llvm::cl::OptionCategory *other) {
          return other->getName() == "Generic Options";
        }))
      foreign.push_back(option);
  }
  for (llvm::cl::Option *option : foreign)
    option->removeArgument();
}
