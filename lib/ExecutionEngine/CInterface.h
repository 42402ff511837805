// C functions through which callers call compiled code. The parameters of a
// function are listed once; both its code and its C declaration are generated
// from this list. Library.h describes the parameters.
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
    /// Pointer to the elements of an argument.
    Data,
    /// Pointer to the extents of an argument. Follows a Data of dynamic shape.
    Shape,
    /// Pointer to which a scalar result is written.
    OutValue,
    /// Pointer to the caller's buffer for the elements of a result.
    OutData,
    /// Pointer to which the address of a result's elements is written. The
    /// function allocates them.
    OutPointer,
    /// Pointer to which the extents of a result are written. Follows each
    /// OutPointer.
    OutShape,
  };
  Kind kind;
  const ValueSpec *spec;
  std::string name;
};

struct CFunction {
  /// Name of the C function.
  std::string name;
  const EntryPoint *entry;
  std::vector<CParameter> parameters;
};

/// Returns the parameters of a C function. They point into `signature`, which
/// must outlive them.
std::vector<CParameter> getCParameters(const Signature &signature);

/// Returns the C functions of `entries`, which must outlive them. A name is
/// `prefix` and the entry's name, with `_` in place of characters that are
/// neither ASCII letters nor digits. Fails if `prefix` is not a C identifier,
/// or if two functions would get the same name.
llvm::Expected<std::vector<CFunction>>
getCFunctions(ArrayRef<EntryPoint> entries, StringRef prefix);

/// Adds `functions` to `module`. Function i calls `callees[i]`. Also makes
/// failed allocations fail a check, even without `runtimeChecks`, and defines
/// the handler of failed checks if the module calls it. Fails if a name is
/// taken.
llvm::Error addCFunctions(llvm::Module &module, ArrayRef<CFunction> functions,
                          ArrayRef<llvm::Function *> callees,
                          bool runtimeChecks);

/// Adds a packed function `void(void **parameters)` for each entry, for callers
/// that know the signature only at run time. `parameters` has an element for
/// each C parameter. It is the address of a scalar argument, and for every
/// other parameter the pointer itself. Does not check shapes. Fails if a name
/// is taken.
llvm::Error addPackedFunctions(llvm::Module &module,
                               ArrayRef<EntryPoint> entries,
                               ArrayRef<llvm::Function *> callees);
/// Returns the name of the packed function for entry `entry`.
std::string getPackedName(StringRef entry);

/// Returns the text of a C header that declares `functions`. The name of its
/// include guard is derived from `fileName`.
std::string printCHeader(ArrayRef<CFunction> functions, StringRef fileName);

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_CINTERFACE_H
