// arc4random, for LLVM's names of temporary files and libstdc++'s
// random_device.
//
// glibc has arc4random only since 2.36. Nothing else that is linked needs a
// glibc newer than 2.34, so this file defines the function. It is hidden, so
// that no other library of the process finds it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstdint>
#include <cstdlib>
#include <sys/random.h>

extern "C" __attribute__((visibility("hidden"))) uint32_t
arc4random() noexcept {
  uint32_t result;
  // The kernel returns so few bytes completely. The call fails only if a signal
  // interrupts its wait for entropy while the system starts, or if the kernel
  // is too old.
  if (getrandom(&result, sizeof(result), 0) != sizeof(result))
    std::abort();
  return result;
}
