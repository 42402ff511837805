// The names by which users say what machine code is for.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_TARGET_TARGETNAMES_H
#define POOL_TARGET_TARGETNAMES_H

#include <string>

namespace mlir::pool {

/// A machine, as LLVM's options -mtriple, -mcpu and -mattr name it.
struct TargetNames {
  /// Like `aarch64-linux-gnu`; the host's if empty.
  std::string triple;
  /// A processor, or `native`: this machine's, with all it has. If empty, the
  /// least that every processor of the architecture has.
  std::string cpu;
  /// Features that the processor has or lacks beside, like `+avx2,-fma`.
  std::string features;

  /// True if they leave everything open.
  bool isEmpty() const {
    return triple.empty() && cpu.empty() && features.empty();
  }
};

} // namespace mlir::pool

#endif // POOL_TARGET_TARGETNAMES_H
