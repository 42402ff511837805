// Parses, prints and verifies plans: the name of a strategy and its parameters.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/Pool.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pool;

/// True if the parser reads `name` as a keyword, so that it needs no quotes.
static bool isKeyword(StringRef name) {
  return !name.empty() && (llvm::isAlpha(name[0]) || name[0] == '_') &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

LogicalResult PlanAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               StringAttr strategy, DictionaryAttr parameters) {
  if (strategy.empty())
    return emitError() << "a plan names a strategy";
  for (NamedAttribute parameter : parameters) {
    if (!isKeyword(parameter.getName()))
      return emitError() << "parameter " << parameter.getName()
                         << " of a plan is no keyword";
    Attribute value = parameter.getValue();
    auto integer = dyn_cast<IntegerAttr>(value);
    if (!isa<BoolAttr, StringAttr, PlanAttr>(value) &&
        !(integer && integer.getType().isSignlessInteger(64)))
      return emitError() << "parameter '" << parameter.getName().getValue()
                         << "' of a plan is an i64, a bool, a string or a "
                            "plan, but is "
                         << value;
  }
  return success();
}

Attribute PlanAttr::parse(AsmParser &parser, Type) {
  std::string strategy;
  NamedAttrList parameters;
  auto parseParameter = [&]() -> ParseResult {
    StringRef name;
    Attribute value;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    StringAttr key = parser.getBuilder().getStringAttr(name);
    if (parameters.get(key))
      return parser.emitError(loc)
             << "parameter '" << name << "' is given twice";
    if (parser.parseAttribute(value))
      return failure();
    parameters.append(key, value);
    return success();
  };
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseString(&strategy))
    return {};
  while (succeeded(parser.parseOptionalComma()))
    if (parseParameter())
      return {};
  if (parser.parseGreater())
    return {};
  MLIRContext *context = parser.getContext();
  return parser.getChecked<PlanAttr>(loc, context,
                                     StringAttr::get(context, strategy),
                                     parameters.getDictionary(context));
}

void PlanAttr::print(AsmPrinter &printer) const {
  printer << '<' << getStrategy();
  for (NamedAttribute parameter : getParameters()) {
    printer << ", " << parameter.getName().getValue() << " = ";
    printer.printAttributeWithoutType(parameter.getValue());
  }
  printer << '>';
}
