// Verifies the dialect's discardable attributes: that the operation may have
// the attribute, and that the attribute has the right type.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/Pool.h"

using namespace mlir;
using namespace mlir::pool;

/// Fails with a diagnostic unless the attribute is a unit attribute on an
/// operation called `name`. Compares names, because the pool dialect does not
/// link the dialect of that operation.
static LogicalResult verifyFact(Operation *op, NamedAttribute attribute,
                                StringRef name) {
  if (op->getName().getStringRef() != name)
    return op->emitOpError("cannot have the attribute '")
           << attribute.getName().getValue() << "', which is for '" << name
           << "'";
  if (!isa<UnitAttr>(attribute.getValue()))
    return op->emitOpError("attribute '")
           << attribute.getName().getValue() << "' must have no value";
  return success();
}

/// Fails with a diagnostic unless the attribute is of class `Attr` and on an
/// operation of the pool dialect. If the class is wrong, the message ends with
/// "must " and `form`, for example "have no value".
template <typename Attr>
static LogicalResult verifyRequest(Operation *op, NamedAttribute attribute,
                                   StringRef form) {
  if (!isa_and_present<PoolDialect>(op->getDialect()))
    return op->emitOpError("cannot have the attribute '")
           << attribute.getName().getValue()
           << "', which is for operations of the pool dialect";
  if (!isa<Attr>(attribute.getValue()))
    return op->emitOpError("attribute '")
           << attribute.getName().getValue() << "' must " << form;
  return success();
}

LogicalResult PoolDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == DividesByCountAttrHelper::getNameStr())
    return verifyFact(op, attribute, "linalg.generic");
  if (name == ReportsValuesAttrHelper::getNameStr())
    return verifyFact(op, attribute, "cf.assert");
  if (name == PlanAttr::getName())
    return verifyRequest<PlanAttr>(op, attribute, "be a #pool.plan");
  if (name == UniformSumsAttrHelper::getNameStr())
    return verifyRequest<UnitAttr>(op, attribute, "have no value");
  // Allow unknown names, because other tools may use them.
  return success();
}
