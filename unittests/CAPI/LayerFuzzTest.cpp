// Layers of pool-c/Layer.h from mutated parameters: any contents of the
// structure must give either a layer, or a status with a message. Applying a
// small layer must not crash.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayerTest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <random>
#include <vector>

using namespace pool_c_test;

namespace {
class Fuzzer {
public:
  explicit Fuzzer(uint64_t seed) : engine(seed) {}

  /// Returns a valid structure with a few fields changed, or noise in all
  /// fields.
  PoolLayerParameters getMutated() {
    PoolLayerParameters parameters = getParameters();
    if (pick(20) == 0)
      fillWithNoise(parameters);
    for (unsigned i = 0, e = 1 + pick(3); i < e; ++i)
      mutate(parameters);
    // The library cannot validate a pointer, so replace it by a valid one.
    if (parameters.bias.data) {
      parameters.bias.data = bias;
      if (parameters.bias.size[0] > 4 || parameters.bias.stride[0] > 4)
        parameters.bias.stride[0] = parameters.bias.size[0] = 2;
    }
    return parameters;
  }

  unsigned pick(unsigned count) { return engine() % count; }

  size_t getNumber() {
    static const size_t interesting[] = {0,
                                         1,
                                         2,
                                         3,
                                         4,
                                         5,
                                         6,
                                         7,
                                         8,
                                         15,
                                         64,
                                         100,
                                         1000,
                                         65536,
                                         1u << 31,
                                         UINT32_MAX,
                                         size_t(1) << 32,
                                         size_t(1) << 40,
                                         size_t(1) << 56,
                                         size_t(1) << 57,
                                         size_t(1) << 62,
                                         size_t(1) << 63,
                                         SIZE_MAX - 1,
                                         SIZE_MAX};
    if (pick(8) == 0)
      return engine() >> pick(64);
    // Prefer small numbers: most others fail at the first check.
    constexpr unsigned count = std::size(interesting);
    return interesting[pick(3) ? pick(9) : pick(count)];
  }

private:
  void fillWithNoise(PoolLayerParameters &parameters) {
    auto *bytes = reinterpret_cast<unsigned char *>(&parameters);
    for (size_t i = 0; i < sizeof(parameters); ++i)
      bytes[i] = engine();
  }

  int32_t getEnumerator() {
    return pick(10) ? int32_t(pick(15)) : int32_t(engine());
  }

  float getFloat() {
    static const float interesting[] = {
        0,   1,      -1,    0.5f,
        2,   1e-45f, 1e38f, -1e38f,
        NAN, 3,      -0.0f, std::numeric_limits<float>::infinity()};
    return interesting[pick(std::size(interesting))];
  }

  void mutate(PoolLayerDescriptor &descriptor) {
    switch (pick(8)) {
    case 0:
      descriptor.layout = getEnumerator();
      break;
    case 1:
    case 2:
      descriptor.size[pick(pick(4) ? 3 : POOL_LAYER_MAX_DIMENSIONS)] =
          getNumber();
      break;
    case 3:
      descriptor.stride[pick(pick(4) ? 3 : POOL_LAYER_MAX_DIMENSIONS)] =
          getNumber();
      break;
    case 4:
      descriptor.data = pick(2) ? bias : nullptr;
      break;
    case 5:
      descriptor.data_type = getEnumerator();
      break;
    case 6:
      descriptor.data_scale = getFloat();
      break;
    default:
      descriptor.data_bias = getFloat();
    }
  }

  void mutate(PoolLayerParameters &p) {
    size_t *const numbers[] = {&p.k_width,
                               &p.k_height,
                               &p.x_stride,
                               &p.y_stride,
                               &p.x_padding,
                               &p.y_padding,
                               &p.pad[0],
                               &p.pad[1],
                               &p.pad[2],
                               &p.pad[3],
                               &p.x_dilation_stride,
                               &p.y_dilation_stride};
    switch (pick(8)) {
    case 0:
      return mutate(p.i_desc);
    case 1:
      return mutate(p.o_desc);
    case 2:
      p.bias.layout = PoolLayerLayoutVector;
      p.bias.data_type = 1 + pick(12);
      p.bias.size[0] = 2;
      p.bias.data = bias;
      if (pick(2))
        mutate(p.bias);
      return;
    case 3:
      p.activation.function = getEnumerator();
      p.activation.alpha = pick(2) ? getFloat() : 0;
      p.activation.beta = pick(2) ? getFloat() : 0;
      return;
    case 4:
      p.pooling_function = getEnumerator();
      return;
    case 5:
      p.max_padding = getEnumerator();
      return;
    case 6:
      // Change both types together: different ones rarely fit.
      p.i_desc.data_type = p.o_desc.data_type = getEnumerator();
      return;
    default:
      *numbers[pick(std::size(numbers))] = getNumber();
    }
  }

  std::mt19937_64 engine;
  /// Room for 4 elements of any type at any stride up to 4.
  double bias[16] = {1, 2, 3, 4};
};

/// Returns the number of elements that `image` spans in memory, gaps included.
size_t getSpan(const PoolLayerDescriptor &image) {
  size_t last = 0, next = 1;
  for (unsigned i = 0; i < 3; ++i) {
    size_t stride = image.stride[i] ? image.stride[i] : next;
    next = stride * image.size[i];
    last += (image.size[i] - 1) * stride;
  }
  return last + 1;
}
} // namespace

// POOL_FUZZ_RUNS sets the number of runs. The default number takes some
// seconds.
TEST(LayerFuzz, NeverCrashes) {
  const char *text = std::getenv("POOL_FUZZ_RUNS");
  unsigned long runs = text ? std::strtoul(text, nullptr, 10) : 600;
  unsigned long created = 0, applied = 0, refused = 0;
  for (unsigned long seed = 0; seed < runs; ++seed) {
    SCOPED_TRACE(seed);
    Fuzzer fuzzer(seed);
    PoolLayerParameters parameters = fuzzer.getMutated();
    PoolLayerRuntimeParameters runtime = {fuzzer.pick(8) ? 1
                                                         : fuzzer.getNumber()};
    PoolLayer *layer = nullptr;
    PoolLayerStatus status = poolLayerCreate(&parameters, &runtime, &layer);
    ASSERT_EQ(status == PoolLayerStatusSuccess, layer != nullptr);
    if (!layer) {
      ++refused;
      ASSERT_EQ(status, PoolLayerStatusInvalidParameter)
          << poolLayerGetLastError();
      ASSERT_NE(*poolLayerGetLastError(), '\0');
      continue;
    }
    ++created;
    size_t in = getSpan(parameters.i_desc), out = getSpan(parameters.o_desc);
    constexpr size_t limit = 1 << 20;
    if (in <= limit && out <= limit) {
      std::vector<double> x(in, 1.5), y(out);
      std::vector<int64_t> indices(std::max(in, out), fuzzer.getNumber());
      for (int64_t *pointer : {indices.data(), static_cast<int64_t *>(nullptr)})
        if (poolLayerApply(layer, x.data(), y.data(), pointer) ==
            PoolLayerStatusSuccess)
          ++applied;
    }
    poolLayerDestroy(layer);
  }
  std::printf("%lu refused, %lu created, %lu applied\n", refused, created,
              applied);
  EXPECT_GT(created, 0u);
  EXPECT_GT(applied, 0u);
  EXPECT_GT(refused, 0u);
}
