// The names by which users select the machine to compile for.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_TARGET_TARGETNAMES_H
#define POOL_TARGET_TARGETNAMES_H

#include <cstdint>
#include <string>

namespace mlir::pool {

/// A machine, as LLVM's options -mtriple, -mcpu and -mattr name it.
struct TargetNames {
  /// A triple, for example `aarch64-linux-gnu`. If empty, the host's.
  std::string triple;
  /// A processor, or `native` for the host's processor with all its features.
  /// If empty, a baseline that the processors of the architecture share.
  std::string cpu;
  /// Features to add to the processor or remove, like `+avx2,-fma`.
  std::string features;

  /// True if all names are empty.
  bool isEmpty() const {
    return triple.empty() && cpu.empty() && features.empty();
  }
};

/// Returns `names`, with the host's processor if neither a triple nor a
/// processor is named. But `vectorBits` without features mean a generic
/// machine.
inline TargetNames withHostByDefault(TargetNames names, int64_t vectorBits) {
  if (names.triple.empty() && names.cpu.empty() &&
      (vectorBits == 0 || !names.features.empty()))
    names.cpu = "native";
  return names;
}

} // namespace mlir::pool

#endif // POOL_TARGET_TARGETNAMES_H
