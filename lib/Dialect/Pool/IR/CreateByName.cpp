// Creates any operation of the dialect from its name and named attributes, for
// callers that choose the operation at run time, such as C and Python.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/Pool.h"

#include "mlir/IR/Diagnostics.h"

#include <cstddef>
#include <vector>

using namespace mlir;
using namespace mlir::pool;

namespace {
/// Owns default-initialized properties for an operation that does not exist
/// yet.
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

Operation *pool::createByName(Location loc, StringRef name, ValueRange operands,
                              ArrayRef<NamedAttribute> properties,
                              TypeRange results, Type indexElementType) {
  MLIRContext *context = loc.getContext();
  std::optional<RegisteredOperationName> info =
      RegisteredOperationName::lookup(name, context);
  if (!info || !isa<PoolDialect>(info->getDialect())) {
    emitError(loc) << "'" << name
                   << "' is no operation of the pool dialect, or that is not "
                      "loaded";
    return nullptr;
  }
  NamedAttrList attributes(properties);
  // If a name occurs twice, a dictionary would silently keep one of the two
  // values.
  if (std::optional<NamedAttribute> twice = attributes.findDuplicate()) {
    emitError(loc) << "'" << name << "' op '" << twice->getName().strref()
                   << "' is given twice";
    return nullptr;
  }
  OwnedProperties owned(*info);
  if (failed(info->setOpPropertiesFromAttribute(
          *info, owned.get(), attributes.getDictionary(context),
          [&] { return emitError(loc) << "'" << name << "' op "; })))
    return nullptr;

  SmallVector<Type> types(results);
  if (indexElementType && !types.empty()) {
    emitError(loc) << "'" << name << "' op has no indices";
    return nullptr;
  }
  if (types.empty()) {
    auto *inference = info->getInterface<InferTypeOpInterface>();
    if (!inference) {
      emitError(loc) << "'" << name
                     << "' op does not say which types its results have";
      return nullptr;
    }
    // Inference runs before any verifier and reads the first operand, so check
    // the operands here.
    if (operands.empty() ||
        !llvm::all_of(operands.getTypes(),
                      llvm::IsaPred<TensorType, IndexType>)) {
      emitError(loc) << "'" << name << "' op takes tensors";
      return nullptr;
    }
    if (failed(inference->inferReturnTypes(context, loc, operands, nullptr,
                                           owned.get(), {}, types)))
      return nullptr;
    if (indexElementType)
      types.push_back(
          cast<RankedTensorType>(types.front()).clone(indexElementType));
  }
  return Operation::create(loc, *info, types, operands, NamedAttrList(),
                           owned.get());
}
