// What the pool dialect adds to upstream's bindings. Upstream's C interface
// creates operations from attributes alone, and ignores those of properties
// that are no attributes, as all of the dialect's are.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Bindings/Python/IRCore.h"
#include "mlir/Bindings/Python/Nanobind.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN;

/// Calls `body`, and throws what it reports as an error if it fails.
static void orThrow(MlirContext context, const Twine &message,
                    llvm::function_ref<LogicalResult()> body) {
  PyMlirContext::ErrorCapture errors(PyMlirContext::forContext(context));
  if (failed(body()))
    throw MLIRError(message, errors.take());
}

/// Returns the inferred types of the results of the operation `name`.
static std::vector<MlirType> inferTypes(const std::string &name,
                                        const std::vector<MlirValue> &operands,
                                        MlirAttribute properties,
                                        MlirLocation loc) {
  OperationState state(unwrap(loc), name);
  for (MlirValue operand : operands)
    state.operands.push_back(unwrap(operand));
  auto *infer = state.name.getInterface<InferTypeOpInterface>();
  if (!infer)
    throw nb::value_error((name + " does not infer its results' types; give "
                                  "results")
                              .c_str());
  SmallVector<Type> types;
  orThrow(mlirLocationGetContext(loc), "Invalid operation", [&] {
    std::vector<char> storage(state.name.getOpPropertyByteSize());
    OpaqueProperties stored(storage.data());
    state.name.initOpProperties(stored, /*init=*/OpaqueProperties(nullptr));
    LogicalResult result = state.name.setOpPropertiesFromAttribute(
        state.name, stored, unwrap(properties),
        [&] { return emitError(state.location); });
    if (succeeded(result))
      result = infer->inferReturnTypes(
          state.getContext(), state.location, state.operands,
          state.attributes.getDictionary(state.getContext()), stored,
          RegionRange(), types);
    state.name.destroyOpProperties(stored);
    return result;
  });
  std::vector<MlirType> result;
  for (Type type : types)
    result.push_back(wrap(type));
  return result;
}

/// Gives a new operation its properties, and verifies it.
static void setProperties(MlirOperation op, MlirAttribute properties) {
  Operation *cpp = unwrap(op);
  orThrow(mlirOperationGetContext(op), "Invalid operation", [&] {
    return success(succeeded(cpp->setPropertiesFromAttribute(
                       unwrap(properties), [&] { return cpp->emitError(); })) &&
                   succeeded(verify(cpp)));
  });
}

NB_MODULE(_mlirDialectsPool, m) {
  m.doc() = "Properties of the pool dialect's operations";
  m.def("infer_types", inferTypes);
  m.def("set_properties", setProperties);
  m.def("get_properties", [](MlirOperation op) {
    return wrap(unwrap(op)->getPropertiesAsAttribute());
  });
}
