// C API of the pool dialect and its attributes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool-c/Dialect.h"

#include "mlir/CAPI/Registration.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/InitAll.h"

using namespace mlir;
using namespace mlir::pool;

// Not MLIR_DEFINE_CAPI_DIALECT_REGISTRATION, which would register the dialect
// without its external models.
static void insertDialect(MlirDialectRegistry registry) {
  pool::registerPoolDialect(*unwrap(registry));
}

static MlirDialect loadDialect(MlirContext context) {
  DialectRegistry registry;
  pool::registerPoolDialect(registry);
  unwrap(context)->appendDialectRegistry(registry);
  return wrap(unwrap(context)->getOrLoadDialect<PoolDialect>());
}

static MlirStringRef getNamespace() {
  return wrap(PoolDialect::getDialectNamespace());
}

MlirDialectHandle mlirGetDialectHandle__pool__() {
  static const MlirDialectRegistrationHooks hooks = {insertDialect, loadDialect,
                                                     getNamespace};
  return {&hooks};
}

void poolRegisterAllDialects(MlirDialectRegistry registry) {
  pool::registerAllDialects(*unwrap(registry));
}

MlirOperation poolOperationCreate(MlirLocation location, MlirStringRef name,
                                  intptr_t numOperands,
                                  const MlirValue *operands,
                                  intptr_t numProperties,
                                  const MlirNamedAttribute *properties,
                                  intptr_t numResults,
                                  const MlirType *results) {
  SmallVector<NamedAttribute> attributes;
  for (const MlirNamedAttribute &property :
       llvm::ArrayRef(properties, numProperties))
    attributes.emplace_back(unwrap(property.name), unwrap(property.attribute));
  Location loc = unwrap(location);
  SmallVector<Value> values;
  SmallVector<Type> types;
  (void)unwrapList(numOperands, operands, values);
  (void)unwrapList(numResults, results, types);
  return wrap(createByName(loc, unwrap(name), values, attributes, types));
}

MlirAttribute poolOperationGetProperties(MlirOperation operation) {
  return wrap(unwrap(operation)->getPropertiesAsAttribute());
}

#define POOL_DEFINE_CAPI_ENUM_ATTRIBUTE(Name)                                  \
  MlirAttribute pool##Name##AttrGet(MlirContext context,                       \
                                    MlirStringRef value) {                     \
    std::optional<Name> symbol = symbolize##Name(unwrap(value));               \
    if (!symbol)                                                               \
      return MlirAttribute{nullptr};                                           \
    return wrap(Name##Attr::get(unwrap(context), *symbol));                    \
  }                                                                            \
  bool poolAttributeIsA##Name(MlirAttribute attribute) {                       \
    return isa_and_present<Name##Attr>(unwrap(attribute));                     \
  }                                                                            \
  MlirStringRef pool##Name##AttrGetValue(MlirAttribute attribute) {            \
    return wrap(                                                               \
        stringify##Name(cast<Name##Attr>(unwrap(attribute)).getValue()));      \
  }

POOL_DEFINE_CAPI_ENUM_ATTRIBUTE(RoundingType)
POOL_DEFINE_CAPI_ENUM_ATTRIBUTE(AutoPad)
POOL_DEFINE_CAPI_ENUM_ATTRIBUTE(SameOutput)
POOL_DEFINE_CAPI_ENUM_ATTRIBUTE(Layout)
POOL_DEFINE_CAPI_ENUM_ATTRIBUTE(PadValue)
POOL_DEFINE_CAPI_ENUM_ATTRIBUTE(NanMode)
POOL_DEFINE_CAPI_ENUM_ATTRIBUTE(Divisor)
POOL_DEFINE_CAPI_ENUM_ATTRIBUTE(IntegerRounding)
POOL_DEFINE_CAPI_ENUM_ATTRIBUTE(Reduction)
