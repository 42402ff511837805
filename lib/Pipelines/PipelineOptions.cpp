// Finds misspelt options of pipelines, and values that they do not have.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/PipelineOptions.h"

#include "pool/Support/Names.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::pool;

/// Removes the text before the first space outside braces, and returns it. The
/// space stays, so the caller removes it before the next call.
static StringRef takeWord(StringRef &text) {
  int depth = 0;
  size_t end = 0;
  for (; end < text.size() && (depth > 0 || text[end] != ' '); ++end)
    depth += (text[end] == '{') - (text[end] == '}');
  StringRef word = text.take_front(end);
  text = text.drop_front(end);
  return word;
}

LogicalResult pool::detail::checkOptions(StringRef options,
                                         const OptionValues &known,
                                         raw_ostream &errorStream) {
  while (!(options = options.ltrim()).empty()) {
    auto [name, value] = takeWord(options).split('=');
    auto option = known.find(name);
    if (option == known.end()) {
      auto names = llvm::to_vector(known.keys());
      llvm::sort(names);
      errorStream << "unknown option '" << name << "'; "
                  << suggestName(name, names, "option") << "\n";
      return failure();
    }
    ArrayRef<StringRef> values = option->second;
    if (!values.empty() && !llvm::is_contained(values, value)) {
      errorStream << "unknown value '" << value << "' of the option '" << name
                  << "'; " << suggestName(value, values, "value") << "\n";
      return failure();
    }
  }
  return success();
}
