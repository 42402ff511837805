// Finds the correct name for a misspelled one, for error messages.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_NAMES_H
#define POOL_SUPPORT_NAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::pool {

/// Returns the entry of `names` that is nearest to `name` by edit distance.
/// Returns an empty string if no entry is near. An entry is near if the
/// distance is at most 2 and less than half of the entry's length.
llvm::StringRef getNearest(llvm::StringRef name,
                           llvm::ArrayRef<llvm::StringRef> names);

/// Returns `did you mean 'NEAREST'?` if an entry of `names` is near to `name`.
/// Otherwise returns `the NOUNs are A, B` with all names, or `there is no NOUN`
/// if `names` is empty.
std::string suggestName(llvm::StringRef name,
                        llvm::ArrayRef<llvm::StringRef> names,
                        llvm::StringRef noun);

} // namespace mlir::pool

#endif // POOL_SUPPORT_NAMES_H
