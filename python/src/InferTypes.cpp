// Infers the result types of an operation whose operand types are given as
// text. The builders of pool_mlir.ops need this, because they work in a context
// of another MLIR.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Array.h"
#include "Diagnostics.h"
#include "Functions.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/ExecutionEngine/CompileContext.h"
#include "pool/InitAll.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::python;

/// Adds an argument to `block` for each type in `operands`. Creates the
/// operation on these arguments, without inserting it, and verifies it. Returns
/// null after emitting an error. `indexElementType` may be empty.
static OwningOpRef<mlir::Operation *>
createVerified(MLIRContext *context, const std::string &name, Block &block,
               const std::vector<std::string> &operands,
               const std::string &properties,
               const std::vector<std::string> &results,
               const std::string &indexElementType) {
  Location loc = UnknownLoc::get(context);
  for (const std::string &text : operands) {
    Type type = parseType(text, context);
    if (!type)
      return nullptr;
    block.addArgument(type, loc);
  }
  SmallVector<Type> types;
  for (const std::string &text : results)
    if (!types.emplace_back(parseType(text, context)))
      return nullptr;
  Type indices;
  if (!indexElementType.empty() &&
      !(indices = parseType(indexElementType, context)))
    return nullptr;
  auto dictionary =
      dyn_cast_if_present<DictionaryAttr>(parseAttribute(properties, context));
  if (!dictionary)
    return nullptr;
  OwningOpRef<mlir::Operation *> op = createByName(
      loc, name, block.getArguments(), dictionary.getValue(), types, indices);
  if (op && failed(verify(*op)))
    return nullptr;
  return op;
}

/// Verifies the operation and returns its result types, all as text. They are
/// `results`, or inferred types if `results` is empty. Raises ValueError with
/// the diagnostics of an invalid operation.
static std::vector<std::string>
inferTypes(const std::string &name, const std::vector<std::string> &operands,
           const std::string &properties,
           const std::vector<std::string> &results,
           const std::string &indexElementType) {
  CompileContext context(getExecutionRegistry());
  context->loadDialect<PoolDialect>();
  DiagnosticCollector diagnostics(context);
  Block block;
  OwningOpRef<mlir::Operation *> op = createVerified(
      context, name, block, operands, properties, results, indexElementType);
  if (!op)
    raise(PyExc_ValueError, diagnostics.getText());
  std::vector<std::string> types;
  for (Type type : op->getResultTypes())
    llvm::raw_string_ostream(types.emplace_back()) << type;
  return types;
}

void mlir::pool::python::addInferTypes(nb::module_ &module) {
  module.def("_infer_types", &inferTypes, "name"_a, "operands"_a,
             "properties"_a, "results"_a, "index_element_type"_a);
}
