// Rejects unknown keys and unfit values in the dictionary of properties.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StrictProperties.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "pool/Support/Names.h"

using namespace mlir;
using namespace mlir::pool;

LogicalResult pool::detail::setPropertiesStrictly(
    Attribute attr, function_ref<LogicalResult(Attribute, EmitErrorFn)> set,
    function_ref<Attribute()> get, EmitErrorFn emitError) {
  // Return an abandoned diagnostic: it prints nothing and converts to failure.
  // A default-constructed InFlightDiagnostic would convert to success.
  auto ignore = [&] {
    InFlightDiagnostic diagnostic =
        mlir::emitError(UnknownLoc::get(attr.getContext()));
    diagnostic.abandon();
    return diagnostic;
  };
  if (!emitError)
    emitError = ignore;
  auto dictionary = dyn_cast<DictionaryAttr>(attr);
  if (!dictionary)
    return emitError() << "expected a dictionary";

  if (failed(set(dictionary, ignore))) {
    // Set one entry at a time to find the key to report, because the generated
    // messages do not name the key.
    for (NamedAttribute entry : dictionary)
      if (failed(set(DictionaryAttr::get(attr.getContext(), entry), [&] {
            return emitError() << "'" << entry.getName().strref() << "': ";
          })))
        return failure();
    return set(dictionary, emitError);
  }

  auto known = cast<DictionaryAttr>(get());
  auto names = llvm::map_to_vector(
      known, [](NamedAttribute entry) { return entry.getName().strref(); });
  for (NamedAttribute entry : dictionary) {
    if (known.contains(entry.getName()))
      continue;
    StringRef name = entry.getName();
    InFlightDiagnostic diagnostic =
        emitError() << "'" << name << "' is not an attribute of this operation";
    if (StringRef nearest = getNearest(name, names); !nearest.empty())
      diagnostic << "; did you mean '" << nearest << "'?";
    return diagnostic;
  }
  return success();
}
