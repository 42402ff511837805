// Lists the pooling operations of a module for `python -m pool_mlir inspect`.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Array.h"
#include "Diagnostics.h"
#include "Functions.h"
#include "Kernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Parser/Parser.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/InitAll.h"

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

/// Gives `result` the extents `shape` where its own are unknown.
static void refine(Value result, ArrayRef<int64_t> shape) {
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (!type || type.getShape().size() != shape.size())
    return;
  SmallVector<int64_t> extents(type.getShape());
  for (auto [extent, known] : llvm::zip_equal(extents, shape))
    if (ShapedType::isDynamic(extent))
      extent = known;
  result.setType(type.clone(extents));
}

/// Makes the result types of `op` as static as its operands' types allow.
/// Leaves them if `op` is neither a cast nor infers its types.
static void inferResults(mlir::Operation *op) {
  if (op->getNumResults() == 0 || op->getNumOperands() == 0)
    return;
  auto getShape = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? tensor.getShape() : ArrayRef<int64_t>();
  };
  if (isa<tensor::CastOp>(op))
    return refine(op->getResult(0), getShape(op->getOperand(0).getType()));
  auto inference = dyn_cast<InferTypeOpInterface>(op);
  SmallVector<Type> types;
  if (!inference ||
      failed(inference.inferReturnTypes(
          op->getContext(), op->getLoc(), op->getOperands(),
          op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
          op->getRegions(), types)) ||
      types.empty())
    return;
  // The indices of an extremum are not inferred. They have its shape.
  for (OpResult result : op->getResults())
    refine(result, getShape(types[std::min<size_t>(result.getResultNumber(),
                                                   types.size() - 1)]));
}

/// Gives the unknown extents of arguments numbers: `batch` to the first of each
/// argument, `unknown` to all others; a negative number leaves them unknown.
/// Then follows the extents through the functions.
static void setExtents(ModuleOp module, int64_t batch, int64_t unknown) {
  auto known = [](int64_t extent) {
    return extent < 0 ? ShapedType::kDynamic : extent;
  };
  for (auto func : module.getOps<func::FuncOp>()) {
    for (Value argument : func.getArguments())
      if (auto type = dyn_cast<RankedTensorType>(argument.getType());
          type && type.getRank() > 0) {
        SmallVector<int64_t> shape(type.getRank(), known(unknown));
        shape.front() = known(batch);
        refine(argument, shape);
      }
    func.walk([](mlir::Operation *op) { inferResults(op); });
  }
}

/// Returns a dict for each pooling operation, in the order of the module. See
/// setExtents() for the numbers.
static nb::list describeModule(const std::string &text, int64_t batch,
                               int64_t unknown) {
  MLIRContext context(mlir::pool::getExecutionRegistry(),
                      MLIRContext::Threading::DISABLED);
  DiagnosticCollector diagnostics(&context);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, &context, "<string>");
  if (!module)
    raise(makeInvalid(diagnostics.getText()), PyExc_ValueError);
  setExtents(*module, batch, unknown);
  nb::list result;
  module->walk([&](mlir::Operation *op) {
    if (!isa_and_present<mlir::pool::PoolDialect>(op->getDialect()))
      return;
    std::string printed;
    llvm::raw_string_ostream os(printed);
    // The types of other operations may no longer fit.
    op->print(os, OpPrintingFlags().useLocalScope().assumeVerified());
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
      "_describe", &describeModule, "text"_a, "batch"_a = -1, "unknown"_a = -1,
      "The pooling operations of a module as dicts: `function`, "
      "`operation`, `text`, and `operands` and `results`, each of them an "
      "element type and a shape, -1 for an extent that is not known. Unknown "
      "extents of arguments are batch, the first of each, and unknown.");
}
