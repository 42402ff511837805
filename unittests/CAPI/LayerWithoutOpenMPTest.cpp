// Layers of pool-c/Layer.h in a process whose OpenMP library is not usable. A
// fixed number of threads must be an error; an open number must become one
// thread.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayerTest.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <thread>
#include <vector>

using namespace pool_c_test;

/// Makes the library that this process has already look incomplete. The
/// layers' library finds this function, and no others of OpenMP.
extern "C" __attribute__((visibility("default"), used)) void
__kmpc_fork_call() {}

/// Large enough that several threads share the work.
static PoolLayerParameters getLargeParameters() {
  PoolLayerParameters parameters = getParameters();
  parameters.i_desc = getImage(512, 512, 64);
  parameters.o_desc = getImage(256, 256, 64);
  return parameters;
}

TEST(LayerWithoutOpenMP, ThreadsFail) {
  PoolLayerParameters parameters = getLargeParameters();
  PoolLayerRuntimeParameters runtime = {2};
  PoolLayer *layer = nullptr;
  EXPECT_EQ(poolLayerCreate(&parameters, &runtime, &layer),
            PoolLayerStatusCompilationFailed);
  EXPECT_EQ(layer, nullptr);
  EXPECT_EQ(std::string(poolLayerGetLastError()),
            "OpenMP's run-time library cannot be loaded: it has no "
            "omp_get_num_threads");
}

TEST(LayerWithoutOpenMP, OpenNumberOfThreadsBecomesOne) {
  if (std::thread::hardware_concurrency() < 2)
    GTEST_SKIP() << "one core: the layer has one thread at once";
  PoolLayerParameters parameters = getLargeParameters();
  PoolLayer *layer = nullptr;
  ASSERT_EQ(poolLayerCreate(&parameters, nullptr, &layer),
            PoolLayerStatusSuccess);
  constexpr size_t planes = 64, width = 512;
  std::vector<float> in(planes * width * width), out(in.size() / 4);
  std::iota(in.begin(), in.end(), 0.f);
  EXPECT_EQ(poolLayerApply(layer, in.data(), out.data(), nullptr),
            PoolLayerStatusSuccess);
  // The last element of each window is its maximum.
  for (size_t row = 0; row < planes * width / 2; ++row)
    for (size_t i = 0; i < width / 2; ++i)
      ASSERT_EQ(out[row * width / 2 + i],
                in[(2 * row + 1) * width + 2 * i + 1]);
  poolLayerDestroy(layer);
}
