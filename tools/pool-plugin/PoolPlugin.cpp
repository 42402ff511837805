// The plugin that adds the dialect and the passes to the stock mlir-opt:
//
//   mlir-opt --load-dialect-plugin=PoolPlugin.so
//   --load-pass-plugin=PoolPlugin.so
//
// The plugin links the shared libMLIR as mlir-opt does, so that type ids and
// pass registries are the same objects on both sides.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/InitAll.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

using namespace mlir;

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {
      MLIR_PLUGIN_API_VERSION, "Pool", POOL_VERSION,
      [](DialectRegistry *registry) { pool::registerPoolDialect(*registry); }};
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Pool", POOL_VERSION,
          [] { pool::registerPoolPasses(); }};
}
