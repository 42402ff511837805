// A command-line option for an enumeration. Its errors list the known values.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_SUPPORT_LISTINGOPTION_H
#define POOL_SUPPORT_LISTINGOPTION_H

#include "pool/Support/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::pool {

/// An option that reports an unknown value together with the known values,
/// which LLVM's own parser does not list. `OptionT` is an `llvm::cl::opt` of an
/// enumeration, or an option of a pass.
template <typename OptionT>
class ListingOption : public OptionT {
public:
  using OptionT::OptionT;
  using OptionT::operator=;

  bool addOccurrence(unsigned position, llvm::StringRef name,
                     llvm::StringRef value, bool isMulti = false) override {
    auto &parser = this->getParser();
    llvm::SmallVector<llvm::StringRef> values;
    for (unsigned i = 0, e = parser.getNumOptions(); i < e; ++i)
      values.push_back(parser.getOption(i));
    if (llvm::is_contained(values, value))
      return OptionT::addOccurrence(position, name, value, isMulti);
    std::string suggestion = suggestName(value, values, "value");
    if (!errors)
      return this->error("unknown value '" + value + "'; " + suggestion);
    *errors << "unknown value '" << value << "' of the option '" << name
            << "'; " << suggestion << "\n";
    return true;
  }

protected:
  /// The stream that errors are written to. If null, errors go to LLVM's own
  /// Option::error().
  llvm::raw_ostream *errors = nullptr;
};

} // namespace mlir::pool

#endif // POOL_SUPPORT_LISTINGOPTION_H
