// Suggests the nearest name for a misspelled option of a pipeline.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/PipelineOptions.h"

#include "pool/Support/Names.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

std::string pool::detail::suggestOption(StringRef error,
                                        SmallVector<StringRef> names) {
  StringRef name = error;
  if (!name.consume_front("<Pass-Options-Parser>: no such option "))
    return error.str();
  name = name.rtrim();
  llvm::sort(names);
  return ("unknown option '" + name + "'; " +
          suggestName(name, names, "option") + "\n")
      .str();
}
