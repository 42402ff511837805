// The one bridge from callers to compiled functions. A list of parameters per
// function gives its code and its C declaration. Library.h describes them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_EXECUTIONENGINE_CINTERFACE_H
#define POOL_LIB_EXECUTIONENGINE_CINTERFACE_H

#include "CallContext.h"
#include "Lowering.h"

#include <string>
#include <vector>

namespace mlir::pool {

struct CParameter {
  enum Kind {
    /// Argument: a scalar, elements, or extents.
    Value,
    Data,
    Shape,
    /// Result: where to write a scalar or elements, where to store the address
    /// of elements, where to store their extents.
    OutValue,
    OutData,
    OutPointer,
    OutShape,
  };
  Kind kind;
  const ValueSpec *spec;
  std::string name;
};

struct CFunction {
  /// Name of the symbol.
  std::string name;
  const EntryPoint *entry;
  std::vector<CParameter> parameters;
};

/// Returns the parameters of a function with that signature, which must outlive
/// them.
std::vector<CParameter> getCParameters(const Signature &signature);

/// Returns the C functions of `entries`, which must outlive them. Characters
/// that C does not allow in a name become `_`. Fails if `prefix` is no
/// identifier or two functions would have the same name.
llvm::Expected<std::vector<CFunction>>
getCFunctions(ArrayRef<EntryPoint> entries, StringRef prefix);

/// Adds the C functions to `module`. Each one calls its entry's function in
/// `callees`. Also adds the handler of failed checks, and checks that memory
/// could be allocated. Fails if a name is taken.
llvm::Error addCFunctions(llvm::Module &module, ArrayRef<CFunction> functions,
                          ArrayRef<llvm::Function *> callees,
                          bool runtimeChecks);

/// Adds `void getPackedName(NAME)(void **parameters)` for each entry, for
/// callers that know its signature only at run time. `parameters` has a pointer
/// for each C parameter: to the value of a `Value`, else the parameter itself.
/// Shapes are not checked. Fails if a name is taken.
llvm::Error addPackedFunctions(llvm::Module &module,
                               ArrayRef<EntryPoint> entries,
                               ArrayRef<llvm::Function *> callees);
std::string getPackedName(StringRef entry);

/// Returns the text of a header that declares the C functions.
std::string printCHeader(ArrayRef<CFunction> functions, StringRef fileName);

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_CINTERFACE_H
