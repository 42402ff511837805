// Defines import_openvino(), and the parts of import_jax() and import_tflite()
// that are written in C++.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Array.h"
#include "Diagnostics.h"
#include "Docstrings.h"
#include "Functions.h"
#include "Kernel.h"
#include "OperationText.h"
#include "Source.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/MLIRContext.h"
#include "pool/Import/OpenVINO/OpenVINO.h"
#include "pool/Import/StableHLO/StableHLO.h"
#include "pool/InitAll.h"
#include "llvm/Support/raw_ostream.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::python;

/// Returns the text of the module that `import` makes in a new context, in
/// MLIR's generic form if `isGeneric`. If `import` returns null, raises
/// ValueError with its diagnostics.
static std::string
printImported(bool isGeneric,
              llvm::function_ref<OwningOpRef<ModuleOp>(MLIRContext *)> import) {
  auto run = [&]() -> llvm::Expected<std::string> {
    nb::gil_scoped_release release;
    MLIRContext context(getExecutionRegistry(),
                        MLIRContext::Threading::DISABLED);
    context.printOpOnDiagnostic(false);
    DiagnosticCollector diagnostics(&context);
    OwningOpRef<ModuleOp> module = import(&context);
    if (!module)
      return makeInvalid(diagnostics.getText());
    std::string result;
    llvm::raw_string_ostream os(result);
    OpPrintingFlags flags;
    module->print(os, flags.printGenericOpForm(isGeneric).enableDebugInfo());
    return result;
  };
  llvm::Expected<std::string> module = run();
  if (!module)
    raise(module.takeError(), PyExc_RuntimeError);
  return std::move(*module);
}

static std::string importModel(nb::handle path, bool poolLayers,
                               nb::handle weights) {
  std::string name = getPath(path);
  std::string text = readFile(name);
  OpenVINOImportOptions options;
  options.poolLayers = poolLayers;
  options.poolLayersName = "pool_layers=True";
  if (!weights.is_none())
    options.weightsPath = getPath(weights);
  return printImported(/*isGeneric=*/false, [&](MLIRContext *context) {
    return importOpenVINO(llvm::MemoryBufferRef(text, name), context, options);
  });
}

/// Returns the arrays among the operands of a custom call. For symbolic extents
/// JAX adds operands with the shapes of the results. These are left out.
static SmallVector<Value> getArrays(Operation *call) {
  auto shapes =
      call->getAttrOfType<DenseIntElementsAttr>("indices_of_shape_operands");
  SmallVector<Value> arrays;
  for (OpOperand &operand : call->getOpOperands())
    if (!shapes ||
        llvm::none_of(shapes.getValues<APInt>(), [&](const APInt &index) {
          return index == operand.getOperandNumber();
        }))
      arrays.push_back(operand.get());
  return arrays;
}

/// Replaces a custom call of pool_mlir.jax by the operation that its text
/// describes, or emits an error and fails. Leaves any other call and succeeds.
static LogicalResult raiseOwnCall(Operation *call) {
  auto target = call->getAttrOfType<StringAttr>("call_target_name");
  if (!target || target.getValue() != kTarget)
    return success();
  auto error = [&] {
    return call->emitError("custom call of '") << kTarget << "': ";
  };
  StringAttr text;
  for (StringRef name : {"backend_config", "mhlo.backend_config"})
    if (auto config = call->getAttrOfType<DictionaryAttr>(name))
      text = config.getAs<StringAttr>("operation");
  Request request;
  if (!text || !parseOperation(text.getValue(), request))
    return error() << "the operation's text cannot be read: it is of another "
                      "version of pool_mlir";
  if (!getExtentsWord(request.operation).empty() &&
      call->getNumResults() != 0) {
    auto type = dyn_cast<RankedTensorType>(call->getResult(0).getType());
    if (!type || !type.hasStaticShape())
      return error() << "'" << request.operation
                     << "' is not imported with symbolic extents";
    request.resultShape = Extents(type.getShape());
  }
  OpBuilder b(call);
  Operation *op = createOperation(b, call->getLoc(), request, getArrays(call));
  if (!op)
    return failure();
  SmallVector<Value> results;
  for (auto [value, type] :
       llvm::zip(op->getResults(), call->getResultTypes())) {
    if (!tensor::CastOp::areCastCompatible(value.getType(), type))
      break;
    results.push_back(
        value.getType() == type
            ? Value(value)
            : tensor::CastOp::create(b, call->getLoc(), type, value));
  }
  if (results.size() != call->getNumResults())
    return error() << "its results are not those of '" << text.getValue()
                   << "' on its operands";
  call->replaceAllUsesWith(results);
  call->erase();
  return success();
}

static std::string raiseText(const std::string &text, bool poolLayers) {
  StablehloImportOptions options;
  options.poolLayers = poolLayers;
  options.poolLayersName = "pool_layers=True";
  options.raiseCall = raiseOwnCall;
  // JAX's context has no pool dialect, so it can read only the generic form.
  return printImported(/*isGeneric=*/!poolLayers, [&](MLIRContext *context) {
    context->allowUnregisteredDialects();
    return raiseStablehlo(llvm::MemoryBufferRef(text, "<StableHLO>"), context,
                          options);
  });
}

static std::string importText(const std::string &text) {
  return printImported(/*isGeneric=*/false, [&](MLIRContext *context) {
    context->allowUnregisteredDialects();
    return importLegalized(llvm::MemoryBufferRef(text, "<linalg>"), context);
  });
}

static std::string importTosaText(const std::string &text) {
  return printImported(/*isGeneric=*/false, [&](MLIRContext *context) {
    context->allowUnregisteredDialects();
    return importTosa(llvm::MemoryBufferRef(text, "<TOSA>"), context);
  });
}

void mlir::pool::python::addImport(nb::module_ &module) {
  module.def("import_openvino", &importModel, "path"_a, "pool_layers"_a = false,
             "weights"_a = nb::none(), kImportOpenVINODoc);
  module.def("_raise_stablehlo", &raiseText, "text"_a, "pool_layers"_a);
  module.def("_import_legalized", &importText, "text"_a);
  module.def("_import_tosa", &importTosaText, "text"_a);
}
