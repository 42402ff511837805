// Names by which users select the machine to compile for.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_TARGET_TARGETNAMES_H
#define POOL_TARGET_TARGETNAMES_H

#include <cstdint>
#include <string>

namespace mlir::pool {

/// A machine, named as LLVM's options -mtriple, -mcpu and -mattr do.
struct TargetNames {
  /// A triple, for example `aarch64-linux-gnu`. Empty for the host's triple.
  std::string triple;
  /// A processor, or `native` for the host's processor with all its features.
  /// If empty, the code runs on all processors of the architecture.
  std::string cpu;
  /// Features to add to the processor or to remove from it, such as
  /// `+avx2,-fma`.
  std::string features;

  /// True if all names are empty.
  bool isEmpty() const {
    return triple.empty() && cpu.empty() && features.empty();
  }
};

/// Returns `names`. If neither a triple nor a processor is named, selects the
/// host's processor. Exception: if `vectorBits` is given and `features` is
/// empty, all names stay empty, which means a generic machine.
inline TargetNames withHostByDefault(TargetNames names, int64_t vectorBits) {
  if (names.triple.empty() && names.cpu.empty() &&
      (vectorBits == 0 || !names.features.empty()))
    names.cpu = "native";
  return names;
}

} // namespace mlir::pool

#endif // POOL_TARGET_TARGETNAMES_H
