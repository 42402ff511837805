// Options of pipelines. If a user misspells an option or a value, the error
// suggests the nearest name.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PIPELINES_PIPELINEOPTIONS_H
#define POOL_PIPELINES_PIPELINEOPTIONS_H

#include "mlir/Pass/PassOptions.h"
#include "pool/Support/ListingOption.h"

#include <string>

namespace mlir::pool {

namespace detail {
/// Returns the text of an error. `error` is an error of upstream's option
/// parser. If it says that an option is unknown, the result suggests one of
/// `names`; otherwise it is `error` itself.
std::string suggestOption(StringRef error, SmallVector<StringRef> names);
} // namespace detail

template <typename OptionsT>
class CheckedPipelineOptions : public PassPipelineOptions<OptionsT> {
public:
  /// An option whose value is one of an enumeration.
  template <typename EnumT>
  struct EnumOption
      : ListingOption<::mlir::detail::PassOptions::Option<EnumT>> {
    using Base = ListingOption<::mlir::detail::PassOptions::Option<EnumT>>;

    template <typename... Args>
    EnumOption(CheckedPipelineOptions &parent, StringRef name, Args &&...args)
        : Base(parent, name, std::forward<Args>(args)...) {
      this->errors = &parent.errors;
      // Without this flag, LLVM reports a missing value before this class can
      // list the known values.
      this->setValueExpectedFlag(llvm::cl::ValueOptional);
    }
    using Base::operator=;
  };

  /// Hides PassOptions::parseFromString, whose errors do not suggest a name.
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
