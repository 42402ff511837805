// Measures the time of consecutive stages.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_EXECUTIONENGINE_STOPWATCH_H
#define POOL_LIB_EXECUTIONENGINE_STOPWATCH_H

#include <chrono>

namespace mlir::pool {

class Stopwatch {
public:
  /// Seconds since the last call, or since construction.
  double lap() {
    Clock::time_point now = Clock::now();
    std::chrono::duration<double> seconds = now - last;
    last = now;
    return seconds.count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last = Clock::now();
};

} // namespace mlir::pool

#endif // POOL_LIB_EXECUTIONENGINE_STOPWATCH_H
