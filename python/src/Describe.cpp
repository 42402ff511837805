// Lists the pooling operations of a module for `python -m pool_mlir inspect`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Array.h"
#include "Diagnostics.h"
#include "Functions.h"
#include "Kernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "pool/Dialect/Pool/IR/Pool.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir;
using namespace mlir::pool::python;

/// Returns element type and shape of a tensor, with -1 for `?`. Returns None
/// for other types.
static nb::object describe(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return nb::none();
  std::string elementType;
  llvm::raw_string_ostream(elementType) << tensor.getElementType();
  nb::list shape;
  for (int64_t extent : tensor.getShape())
    shape.append(ShapedType::isDynamic(extent) ? -1 : extent);
  return nb::make_tuple(elementType, nb::tuple(shape));
}

static nb::list describe(TypeRange types) {
  nb::list result;
  for (Type type : types)
    result.append(describe(type));
  return result;
}

/// Returns a dict for each pooling operation, in the order of the module.
static nb::list describeModule(const std::string &text) {
  MLIRContext context(mlir::pool::getExecutionRegistry(),
                      MLIRContext::Threading::DISABLED);
  DiagnosticCollector diagnostics(&context);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, &context, "<string>");
  if (!module)
    raise(makeInvalid(diagnostics.getText()), PyExc_ValueError);
  nb::list result;
  module->walk([&](mlir::Operation *op) {
    if (!isa_and_present<mlir::pool::PoolDialect>(op->getDialect()))
      return;
    std::string printed;
    llvm::raw_string_ostream os(printed);
    op->print(os, OpPrintingFlags().useLocalScope());
    nb::dict layer;
    auto func = op->getParentOfType<func::FuncOp>();
    layer["function"] = func ? func.getName().str() : std::string();
    layer["operation"] = op->getName().stripDialect().str();
    layer["text"] = printed;
    layer["operands"] = describe(op->getOperandTypes());
    layer["results"] = describe(op->getResultTypes());
    result.append(layer);
  });
  return result;
}

void mlir::pool::python::addDescribe(nb::module_ &module) {
  module.def(
      "_describe", &describeModule, "text"_a,
      "The pooling operations of a module as dicts: `function`, "
      "`operation`, `text`, and `operands` and `results`, each of them an "
      "element type and a shape, -1 for an extent that is not known.");
}
