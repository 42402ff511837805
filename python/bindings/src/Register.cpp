// Registers upstream's and the project's dialects and passes. The bindings load
// this module before the first context exists.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir-c/RegisterEverything.h"
#include "mlir/Bindings/Python/Nanobind.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"
#include "mlir/CAPI/IR.h"
#include "pool/InitAll.h"

NB_MODULE(_mlirRegisterEverything, m) {
  m.doc() = "Dialects and passes of MLIR and of pool-mlir";

  m.def("register_dialects", [](MlirDialectRegistry registry) {
    mlir::pool::registerAllDialects(*unwrap(registry));
  });
  m.def("register_llvm_translations",
        [](MlirContext context) { mlirRegisterAllLLVMTranslations(context); });

  mlir::pool::registerAllPasses();
}
