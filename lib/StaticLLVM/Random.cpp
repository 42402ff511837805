// Defines arc4random, which LLVM uses for names of temporary files and
// libstdc++ for random_device.
//
// glibc has arc4random only since version 2.36. All other code works with glibc
// 2.34, so this definition makes a newer one unnecessary. It is hidden, so that
// other libraries in the process do not use it.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstdint>
#include <cstdlib>
#include <sys/random.h>

extern "C" __attribute__((visibility("hidden"))) uint32_t
arc4random() noexcept {
  uint32_t result;
  // The kernel never returns fewer than these few bytes. The call fails only if
  // a signal interrupts it while the system starts and has no entropy yet, or
  // if the kernel is too old.
  if (getrandom(&result, sizeof(result), 0) != sizeof(result))
    std::abort();
  return result;
}
