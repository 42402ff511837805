// Finds the name that a misspelled name may mean.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Support/Names.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace mlir;
using llvm::ArrayRef;
using llvm::StringRef;

StringRef pool::getNearest(StringRef name, ArrayRef<StringRef> names) {
  StringRef nearest;
  unsigned best = 0;
  for (StringRef candidate : names) {
    if (candidate.empty())
      continue;
    // Allow fewer edits than half of the candidate's letters. Otherwise short
    // names would be near to most others, as `p` is to `id`.
    unsigned most = std::min<unsigned>(2, (candidate.size() - 1) / 2);
    unsigned distance = name.edit_distance(candidate);
    if (distance <= most && (nearest.empty() || distance < best)) {
      nearest = candidate;
      best = distance;
    }
  }
  return nearest;
}

std::string pool::suggestName(StringRef name, ArrayRef<StringRef> names,
                              StringRef noun) {
  StringRef nearest = getNearest(name, names);
  if (!nearest.empty())
    return ("did you mean '" + nearest + "'?").str();
  if (names.empty())
    return ("there is no " + noun).str();
  return ("the " + noun + (names.size() == 1 ? " is " : "s are ") +
          llvm::join(names, ", "))
      .str();
}
