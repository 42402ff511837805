// Layers in a process whose OpenMP library is not usable.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayerTest.h"

#include <gtest/gtest.h>

#include <string>

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
  PoolLayerParameters parameters = getLargeParameters();
  PoolLayer *layer = nullptr;
  EXPECT_EQ(poolLayerCreate(&parameters, nullptr, &layer),
            PoolLayerStatusSuccess);
  poolLayerDestroy(layer);
}
