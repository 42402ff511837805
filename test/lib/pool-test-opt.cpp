// pool-opt with the passes of this directory.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

namespace mlir::pool::test {
void registerTestActivationPass();
void registerTestLaneRangesPass();
} // namespace mlir::pool::test

using namespace mlir;

int main(int argc, char **argv) {
  pool::registerAllPasses();
  pool::test::registerTestActivationPass();
  pool::test::registerTestLaneRangesPass();

  DialectRegistry registry;
  pool::registerAllDialects(registry);
  return asMainReturnCode(
      MlirOptMain(argc, argv, "Pooling test driver\n", registry));
}
