// Options of pipelines that suggest names for misspelt options and values.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PIPELINES_PIPELINEOPTIONS_H
#define POOL_PIPELINES_PIPELINEOPTIONS_H

#include "mlir/Pass/PassOptions.h"
#include "pool/Support/ListingOption.h"

#include <string>

namespace mlir::pool {

namespace detail {
/// Returns `error`, an error of upstream's parser of options. If an option is
/// unknown, suggests one of `names` instead.
std::string suggestOption(StringRef error, SmallVector<StringRef> names);
} // namespace detail

template <typename OptionsT>
class CheckedPipelineOptions : public PassPipelineOptions<OptionsT> {
public:
  /// An option that takes one value of an enumeration.
  template <typename EnumT>
  struct EnumOption
      : ListingOption<::mlir::detail::PassOptions::Option<EnumT>> {
    using Base = ListingOption<::mlir::detail::PassOptions::Option<EnumT>>;

    template <typename... Args>
    EnumOption(CheckedPipelineOptions &parent, StringRef name, Args &&...args)
        : Base(parent, name, std::forward<Args>(args)...) {
      this->errors = &parent.errors;
      // Otherwise LLVM reports a missing value without the known ones.
      this->setValueExpectedFlag(llvm::cl::ValueOptional);
    }
    using Base::operator=;
  };

  /// Hides the function of PassOptions, whose errors suggest no name.
  LogicalResult parseFromString(StringRef options,
                                raw_ostream &errorStream = llvm::errs()) {
    text.clear();
    if (succeeded(
            ::mlir::detail::PassOptions::parseFromString(options, errors)))
      return success();
    errorStream << detail::suggestOption(
        text, llvm::to_vector(this->OptionsMap.keys()));
    return failure();
  }

private:
  std::string text;
  llvm::raw_string_ostream errors{text};
};

} // namespace mlir::pool

#endif // POOL_PIPELINES_PIPELINEOPTIONS_H
