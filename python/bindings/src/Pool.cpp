// Functions that the pool dialect needs beside upstream's bindings. Upstream's
// C interface creates operations from attributes alone. It ignores attributes
// of properties that are not stored as attributes, such as most properties of
// this dialect.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/Pool.h"
#include "mlir/Bindings/Python/IRCore.h"
#include "mlir/Bindings/Python/Nanobind.h"
#include "mlir/Bindings/Python/NanobindAdaptors.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mlir;
using namespace mlir::python::MLIR_BINDINGS_PYTHON_DOMAIN;

/// Creates a valid operation at `ip`, or at the current insertion point if `ip`
/// is None. Infers the types of the results if `results` is empty. If the
/// operation is not valid, throws an error with the reported diagnostics.
static nb::object create(const std::string &name,
                         const std::vector<MlirValue> &operands,
                         MlirAttribute properties,
                         const std::vector<MlirType> &results,
                         std::optional<MlirType> indexElementType,
                         MlirLocation loc, const nb::object &ip) {
  PyMlirContextRef context =
      PyMlirContext::forContext(mlirLocationGetContext(loc));
  unwrap(context->get())->loadDialect<pool::PoolDialect>();
  auto check = [&](auto part, const char *name) {
    if (part.getContext() != unwrap(context->get()))
      throw nb::value_error(
          (Twine(name) + " and the location have two contexts").str().c_str());
    return part;
  };
  SmallVector<Value> values;
  for (MlirValue operand : operands)
    values.push_back(check(unwrap(operand), "an operand"));
  SmallVector<Type> types;
  for (MlirType type : results)
    types.push_back(check(unwrap(type), "a result's type"));
  PyMlirContext::ErrorCapture errors(context);
  OwningOpRef<Operation *> op = pool::createByName(
      unwrap(loc), name, values,
      cast<DictionaryAttr>(unwrap(properties)).getValue(), types,
      indexElementType ? unwrap(*indexElementType) : Type());
  if (!op || failed(verify(*op)))
    throw MLIRError("Invalid operation", errors.take());
  PyOperationRef made =
      PyOperation::createDetached(context, wrap(op.release()));
  PyInsertionPoint *place =
      ip.is_none() ? PyThreadContextEntry::getDefaultInsertionPoint()
                   : nb::cast<PyInsertionPoint *>(ip);
  if (place)
    place->insert(*made.get());
  return made.releaseObject();
}

/// Sets a property of `op`, or takes its value away if `value` is none, without
/// verifying `op`. Throws what is reported if the value is of another kind.
static void setProperty(MlirOperation op, const std::string &name,
                        std::optional<MlirAttribute> value) {
  PyMlirContext::ErrorCapture errors(
      PyMlirContext::forContext(mlirOperationGetContext(op)));
  Operation *target = unwrap(op);
  NamedAttrList properties(
      cast<DictionaryAttr>(target->getPropertiesAsAttribute()));
  if (value) {
    properties.set(name, unwrap(*value));
  } else {
    // An attribute without a default keeps its value if it is not in the list,
    // so clear it first.
    target->setInherentAttr(StringAttr::get(target->getContext(), name), {});
    properties.erase(name);
  }
  if (failed(target->setPropertiesFromAttribute(
          properties.getDictionary(target->getContext()),
          [&] { return target->emitOpError(); })))
    throw MLIRError("Invalid attribute", errors.take());
}

NB_MODULE(_mlirDialectsPool, m) {
  m.doc() = "Properties of the pool dialect's operations";
  m.def("create", create, "name"_a, "operands"_a, "properties"_a, "results"_a,
        "index_element_type"_a.none(), "loc"_a, "ip"_a.none());
  m.def("set_property", setProperty, "operation"_a, "name"_a, "value"_a.none());
  m.def("get_properties", [](MlirOperation op) {
    return wrap(unwrap(op)->getPropertiesAsAttribute());
  });
}
