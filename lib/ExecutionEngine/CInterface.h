// The functions that C calls: one list of their parameters, from which both
// their code and their declarations are made. Library.h says what they mean.
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
    /// An argument: a scalar, elements, or extents.
    Value,
    Data,
    Shape,
    /// A result: where to write a scalar or elements, where to store the
    /// address of elements, and their extents.
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
  /// Its name in C.
  std::string name;
  const EntryPoint *entry;
  std::vector<CParameter> parameters;
};

/// The functions for `entries`, which they point to. Fails if `prefix` is no
/// identifier or two names become one: what C allows in no name becomes `_`.
llvm::Expected<std::vector<CFunction>>
getCFunctions(ArrayRef<EntryPoint> entries, StringRef prefix);

/// Adds the code of each function, which calls what its entry was lowered to,
/// and what happens when a check fails. Fails if a name is taken.
llvm::Error addCFunctions(llvm::Module &module, ArrayRef<CFunction> functions,
                          ArrayRef<llvm::Function *> callees,
                          bool runtimeChecks);

/// The header that declares them.
std::string printCHeader(ArrayRef<CFunction> functions, StringRef fileName);

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_CINTERFACE_H
