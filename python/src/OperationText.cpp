// Reads the texts by which programs of JAX describe operations: a name, and
// attributes without types, such as `pool.max_pool kernel=3,3, axis=2`. A list
// ends with a comma.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OperationText.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::python;

StringRef mlir::pool::python::getExtentsWord(StringRef operation) {
  if (operation == "pool.avg_pool_grad")
    return "input";
  return operation == "pool.max_unpool" ? "output" : "";
}

bool mlir::pool::python::parseOperation(StringRef text, Request &request) {
  SmallVector<StringRef> words;
  text.split(words, ' ');
  request.operation = words.front();
  for (StringRef word : ArrayRef(words).drop_front()) {
    auto [name, value] = word.split('=');
    if (name.empty() || value.empty())
      return false;
    if (name == getExtentsWord(request.operation))
      continue;
    if (name == "indices") {
      if (request.indexBits || value.getAsInteger(10, request.indexBits) ||
          !request.indexBits)
        return false;
      continue;
    }
    if (llvm::isAlpha(value.front())) {
      request.enumerations.push_back({name, value});
      continue;
    }
    SmallVector<StringRef> numbers;
    value.split(numbers, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    Extents integers;
    for (StringRef number : numbers)
      if (number.getAsInteger(10, integers.emplace_back()))
        return false;
    // A list of one entry ends in a comma.
    if (value.contains(','))
      request.lists.push_back({name, integers});
    else
      request.integers.push_back({name, integers.front()});
  }
  return true;
}
