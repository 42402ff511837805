// import_openvino().
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Array.h"
#include "Diagnostics.h"
#include "Docstrings.h"
#include "Functions.h"
#include "Kernel.h"
#include "Source.h"

#include "mlir/IR/MLIRContext.h"
#include "pool/Import/OpenVINO/OpenVINO.h"
#include "llvm/Support/raw_ostream.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::python;

static std::string importModel(nb::handle path, bool poolLayers,
                               nb::handle weights) {
  std::string name = getPath(path);
  std::string text = readFile(name);
  OpenVINOImportOptions options;
  options.poolLayers = poolLayers;
  if (!weights.is_none())
    options.weightsPath = getPath(weights);
  auto run = [&]() -> llvm::Expected<std::string> {
    nb::gil_scoped_release release;
    MLIRContext context(getRegistry(), MLIRContext::Threading::DISABLED);
    DiagnosticCollector diagnostics(&context);
    OwningOpRef<ModuleOp> module =
        importOpenVINO(llvm::MemoryBufferRef(text, name), &context, options);
    if (!module)
      return makeInvalid(diagnostics.getText());
    std::string result;
    llvm::raw_string_ostream os(result);
    module->print(os, OpPrintingFlags().enableDebugInfo());
    return result;
  };
  llvm::Expected<std::string> module = run();
  if (!module)
    raise(module.takeError(), PyExc_RuntimeError);
  return std::move(*module);
}

void mlir::pool::python::addImport(nb::module_ &module) {
  module.def("import_openvino", &importModel, "path"_a, "pool_layers"_a = false,
             "weights"_a = nb::none(), kImportOpenVINODoc);
}
