// Suggestions for misspelt names, for messages.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_NAMES_H
#define POOL_SUPPORT_NAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::pool {

/// Returns the entry of `names` that is nearest to `name`, or an empty string
/// if no entry is near enough. A near entry is at most two edits away, and the
/// edits are fewer than half of the entry's letters.
llvm::StringRef getNearest(llvm::StringRef name,
                           llvm::ArrayRef<llvm::StringRef> names);

/// Returns `did you mean 'NEAREST'?`, or `the NOUNs are A, B` if no entry of
/// `names` is near to `name`, or `there is no NOUN` if `names` is empty.
std::string suggestName(llvm::StringRef name,
                        llvm::ArrayRef<llvm::StringRef> names,
                        llvm::StringRef noun);

} // namespace mlir::pool

#endif // POOL_SUPPORT_NAMES_H
