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

/// Returns a pair of the element type, as text, and the shape of a ranked
/// tensor. An extent `?` becomes -1. Returns None for any other type.
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

/// Replaces each unknown extent in the type of `result` by the extent in
/// `shape`. Does nothing if the type is no ranked tensor or has another rank.
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

/// Replaces unknown extents in the result types of `op` if they follow from the
/// types of its operands. Does nothing unless `op` is a tensor.cast or has
/// InferTypeOpInterface.
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
  // Pooling operations do not infer the type of indices. Indices have the shape
  // of the values, so use the last inferred type.
  for (OpResult result : op->getResults())
    refine(result, getShape(types[std::min<size_t>(result.getResultNumber(),
                                                   types.size() - 1)]));
}

/// Replaces the unknown extents of all functions' arguments: in dimension 0 by
/// `batch`, and in all others by `unknown`. A negative number leaves them
/// unknown. Then infers the types of all operations again, in order.
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

/// Returns a dict for each pooling operation, in the order of the module.
/// `batch` and `unknown` are for setExtents(). Raises ValueError if `text` is
/// not a valid module.
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
    // Skip verification. The operands of an operation without type inference
    // may have new types that do not fit it.
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
