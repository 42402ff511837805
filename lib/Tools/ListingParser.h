// Parser of an option that takes one value of an enumeration.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_TOOLS_LISTINGPARSER_H
#define POOL_LIB_TOOLS_LISTINGPARSER_H

#include "pool/Support/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"

namespace mlir::pool {

/// Reports an unknown value with the known ones, which LLVM's parser does not
/// name.
template <typename EnumT>
class ListingParser : public llvm::cl::parser<EnumT> {
public:
  using llvm::cl::parser<EnumT>::parser;

  bool parse(llvm::cl::Option &option, llvm::StringRef name,
             llvm::StringRef value, EnumT &result) {
    llvm::SmallVector<llvm::StringRef> values;
    for (unsigned i = 0, e = this->getNumOptions(); i < e; ++i)
      values.push_back(this->getOption(i));
    if (llvm::is_contained(values, value))
      return llvm::cl::parser<EnumT>::parse(option, name, value, result);
    return option.error("unknown value '" + value + "'; " +
                        suggestName(value, values, "value"));
  }
};

template <typename EnumT>
using EnumOption =
    llvm::cl::opt<EnumT, /*ExternalStorage=*/false, ListingParser<EnumT>>;

} // namespace mlir::pool

#endif // POOL_LIB_TOOLS_LISTINGPARSER_H
