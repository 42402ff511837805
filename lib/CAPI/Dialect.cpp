// The pool dialect and its attributes for C.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool-c/Dialect.h"

#include "mlir/CAPI/Registration.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/InitAll.h"

#include <cstddef>
#include <vector>

using namespace mlir;
using namespace mlir::pool;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Pool, pool, PoolDialect)

void poolRegisterAllDialects(MlirDialectRegistry registry) {
  pool::registerAllDialects(*unwrap(registry));
}

namespace {
/// Properties of an operation that does not exist yet.
class OwnedProperties {
public:
  explicit OwnedProperties(OperationName name)
      : name(name),
        storage(name.getOpPropertyByteSize() / sizeof(std::max_align_t) + 1) {
    name.initOpProperties(get(), OpaqueProperties(nullptr));
  }
  ~OwnedProperties() { name.destroyOpProperties(get()); }
  OwnedProperties(const OwnedProperties &) = delete;
  OwnedProperties &operator=(const OwnedProperties &) = delete;

  OpaqueProperties get() { return OpaqueProperties(storage.data()); }

private:
  OperationName name;
  std::vector<std::max_align_t> storage;
};
} // namespace

MlirOperation poolOperationCreate(MlirLocation location, MlirStringRef name,
                                  intptr_t numOperands,
                                  const MlirValue *operands,
                                  intptr_t numProperties,
                                  const MlirNamedAttribute *properties,
                                  intptr_t numResults,
                                  const MlirType *results) {
  Location loc = unwrap(location);
  MLIRContext *context = loc.getContext();
  const MlirOperation none{nullptr};
  std::optional<RegisteredOperationName> info =
      RegisteredOperationName::lookup(unwrap(name), context);
  if (!info || !isa<PoolDialect>(info->getDialect())) {
    emitError(loc) << "'" << unwrap(name)
                   << "' is no operation of the pool dialect, or that is not "
                      "loaded";
    return none;
  }
  NamedAttrList attributes;
  for (const MlirNamedAttribute &property :
       llvm::ArrayRef(properties, numProperties))
    attributes.set(unwrap(property.name), unwrap(property.attribute));
  OwnedProperties owned(*info);
  if (failed(info->setOpPropertiesFromAttribute(
          *info, owned.get(), attributes.getDictionary(context),
          [&] { return emitError(loc) << "'" << unwrap(name) << "' op "; })))
    return none;

  SmallVector<Value> values;
  (void)unwrapList(numOperands, operands, values);
  SmallVector<Type> types;
  (void)unwrapList(numResults, results, types);
  if (numResults == 0) {
    auto *inference = info->getInterface<InferTypeOpInterface>();
    if (!inference) {
      emitError(loc) << "'" << unwrap(name)
                     << "' op does not say which types its results have";
      return none;
    }
    if (failed(inference->inferReturnTypes(context, loc, values, nullptr,
                                           owned.get(), {}, types)))
      return none;
  }
  return wrap(Operation::create(loc, *info, types, values, NamedAttrList(),
                                owned.get()));
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
