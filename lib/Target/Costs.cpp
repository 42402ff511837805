// Parses weights of the cost model from options.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Target/Costs.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace mlir::pool;

static constexpr std::pair<StringLiteral, double Costs::*> kFields[] = {
#define POOL_COST(field, option, value) {option, &Costs::field},
#include "pool/Target/Costs.def"
};

llvm::Expected<Costs> Costs::parse(ArrayRef<std::string> options) {
  Costs costs;
  for (StringRef option : options) {
    auto [name, text] = option.split(':');
    const auto *field =
        llvm::find_if(kFields, [name = name](const auto &known) {
          return known.first == name;
        });
    if (field == std::end(kFields))
      return llvm::createStringError(llvm::formatv(
          "costs has '{0}', which must be NAME:NUMBER, with a "
          "name of {1}",
          option, llvm::join(llvm::make_first_range(kFields), ", ")));
    double &value = costs.*field->second;
    if (text.getAsDouble(value) || !std::isfinite(value) || value < 0)
      return llvm::createStringError(
          llvm::formatv("costs has '{0}', whose value must be a finite number "
                        "that is not negative",
                        option));
  }
  return costs;
}
