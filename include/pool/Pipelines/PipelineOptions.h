// Options of pipelines that suggest names for misspelt options and values.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PIPELINES_PIPELINEOPTIONS_H
#define POOL_PIPELINES_PIPELINEOPTIONS_H

#include "mlir/Pass/PassOptions.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::pool {

namespace detail {
/// Names of the values that each option takes; empty if it is no enumeration.
using OptionValues = llvm::StringMap<SmallVector<StringRef>>;

/// Fails, and writes the reason to `errorStream`, if `options` has an option or
/// a value that `known` lacks. `options` is text such as `path=vector
/// vector-bits=512`.
LogicalResult checkOptions(StringRef options, const OptionValues &known,
                           raw_ostream &errorStream);
} // namespace detail

template <typename OptionsT>
class CheckedPipelineOptions : public PassPipelineOptions<OptionsT> {
public:
  /// An option that takes one value of an enumeration.
  template <typename EnumT>
  struct EnumOption : ::mlir::detail::PassOptions::Option<EnumT> {
    template <typename... Args>
    EnumOption(CheckedPipelineOptions &parent, StringRef name, Args &&...args)
        : ::mlir::detail::PassOptions::Option<EnumT>(
              parent, name, std::forward<Args>(args)...) {
      auto &parser = this->getParser();
      for (unsigned i = 0, e = parser.getNumOptions(); i < e; ++i)
        parent.enumValues[name].push_back(parser.getOption(i));
    }
    using ::mlir::detail::PassOptions::Option<EnumT>::operator=;
  };

  /// Hides the function of PassOptions, whose errors suggest no name.
  LogicalResult parseFromString(StringRef options,
                                raw_ostream &errorStream = llvm::errs()) {
    detail::OptionValues known = enumValues;
    for (const auto &option : this->OptionsMap)
      known.try_emplace(option.first);
    if (failed(detail::checkOptions(options, known, errorStream)))
      return failure();
    return ::mlir::detail::PassOptions::parseFromString(options, errorStream);
  }

private:
  detail::OptionValues enumValues;
};

} // namespace mlir::pool

#endif // POOL_PIPELINES_PIPELINEOPTIONS_H
