// Functions through which callers reach compiled functions. One list of
// parameters for each function yields both its code and its C declaration.
// Library.h describes the parameters.
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
    /// A scalar argument.
    Value,
    /// Pointer to an argument's elements.
    Data,
    /// Pointer to an argument's extents.
    Shape,
    /// Pointer to where a scalar result is written.
    OutValue,
    /// Pointer to the caller's buffer for a result's elements.
    OutData,
    /// Pointer to where the address of a result is stored. The function
    /// allocates the elements of this result.
    OutPointer,
    /// Pointer to where the extents of the result before are stored. Follows
    /// each OutPointer.
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

/// Returns the parameters of a C function. `signature` must outlive them.
std::vector<CParameter> getCParameters(const Signature &signature);

/// Returns the C functions of `entries`. The entries must outlive the
/// functions. Characters that are neither ASCII letters nor digits become `_`.
/// Fails if `prefix` is no identifier or two functions would have one name.
llvm::Expected<std::vector<CFunction>>
getCFunctions(ArrayRef<EntryPoint> entries, StringRef prefix);

/// Adds the C functions to `module`. Each one calls its entry's function in
/// `callees`. Also checks that allocations succeed, even without
/// `runtimeChecks`, and defines the handler of failed checks if it is called.
/// Fails if a name is taken.
llvm::Error addCFunctions(llvm::Module &module, ArrayRef<CFunction> functions,
                          ArrayRef<llvm::Function *> callees,
                          bool runtimeChecks);

/// Adds a packed function `void(void **parameters)` for each entry, for callers
/// that know the entry's signature only at run time. `parameters` has a pointer
/// for each C parameter: the address of a scalar argument, else the parameter
/// itself. Shapes are not checked. Fails if a name is taken.
llvm::Error addPackedFunctions(llvm::Module &module,
                               ArrayRef<EntryPoint> entries,
                               ArrayRef<llvm::Function *> callees);
/// Returns the name of the packed function of `entry`.
std::string getPackedName(StringRef entry);

/// Returns the text of a header that declares the C functions.
std::string printCHeader(ArrayRef<CFunction> functions, StringRef fileName);

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_CINTERFACE_H
