// The one list of what the project registers; tools and plugin share it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/InitAll.h"

#include "pool/Conversion/Passes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Transforms/BufferizableOpInterfaceImpl.h"
#include "pool/Dialect/Pool/Transforms/Passes.h"
#include "pool/Pipelines/Pipelines.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

void mlir::pool::registerAllDialects(DialectRegistry &registry) {
  registry.insert<PoolDialect>();
  registerBufferizableOpInterfaceExternalModels(registry);
}

void mlir::pool::registerAllPasses() {
  registerPoolTransformsPasses();
  registerPoolConversionPasses();
  registerPoolPipelines();
}

void mlir::pool::addVersionPrinter() {
  llvm::cl::AddExtraVersionPrinter(
      [](raw_ostream &os) { os << "pool-mlir version " POOL_VERSION "\n"; });
}
