// Invalid parameters or arrays of a layer (pool-c/Layer.h) must give a status,
// and a message that names the field and the numbers. They must not crash the
// caller.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayerTest.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

using namespace pool_c_test;

namespace {
using Spoil = std::function<void(PoolLayerParameters &)>;

/// Creates a layer from valid parameters after `spoil` has changed them.
struct Attempt {
  explicit Attempt(const Spoil &spoil,
                   const PoolLayerRuntimeParameters *runtime = nullptr) {
    PoolLayerParameters parameters = getParameters();
    spoil(parameters);
    layer = reinterpret_cast<PoolLayer *>(this);
    status = poolLayerCreate(&parameters, runtime, &layer);
    if (status != PoolLayerStatusSuccess)
      message = poolLayerGetLastError();
  }
  ~Attempt() { poolLayerDestroy(layer); }

  PoolLayer *layer;
  PoolLayerStatus status;
  std::string message;
};

void expectRefused(const std::string &message, const Spoil &spoil) {
  Attempt attempt(spoil);
  EXPECT_EQ(attempt.status, PoolLayerStatusInvalidParameter) << message;
  EXPECT_EQ(attempt.layer, nullptr);
  EXPECT_EQ(attempt.message, message);
}

constexpr size_t kHuge = std::numeric_limits<size_t>::max();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
const float kBias[4] = {1, 2, 3, 4};

void setBias(PoolLayerParameters &p) {
  p.bias.layout = PoolLayerLayoutVector;
  p.bias.size[0] = 2;
  p.bias.data = kBias;
  p.bias.data_type = PoolLayerDataTypeFloat32;
}
} // namespace

TEST(LayerFields, Accepts) {
  Attempt attempt([](PoolLayerParameters &) {});
  EXPECT_EQ(attempt.status, PoolLayerStatusSuccess) << attempt.message;
  EXPECT_NE(attempt.layer, nullptr);
  Attempt biased(setBias);
  EXPECT_EQ(biased.status, PoolLayerStatusSuccess) << biased.message;
}

TEST(LayerFields, Descriptors) {
  expectRefused(
      "i_desc.layout is 0, but must be PoolLayerLayoutImageCHW (2) or "
      "PoolLayerLayoutImageHWC (3)",
      [](auto &p) { p.i_desc.layout = 0; });
  expectRefused(
      "o_desc.layout is 1, but must be PoolLayerLayoutImageCHW (2) or "
      "PoolLayerLayoutImageHWC (3)",
      [](auto &p) { p.o_desc.layout = PoolLayerLayoutVector; });
  expectRefused("o_desc.layout is not that of i_desc",
                [](auto &p) { p.o_desc.layout = PoolLayerLayoutImageHWC; });
  expectRefused("i_desc.size[1] is 0, but must be positive",
                [](auto &p) { p.i_desc.size[1] = 0; });
  expectRefused("o_desc.size[3] is 1, but the layout has 3 dimension(s)",
                [](auto &p) { p.o_desc.size[3] = 1; });
  expectRefused("i_desc.stride[7] is 9, but the layout has 3 dimension(s)",
                [](auto &p) { p.i_desc.stride[7] = 9; });
  expectRefused(
      "i_desc.size[2] is 18446744073709551615 at a stride of 24, with which "
      "the array is larger than any memory",
      [](auto &p) { p.i_desc.size[2] = kHuge; });
  expectRefused(
      "i_desc.size[0] is 6 at a stride of 18446744073709551615, with which the "
      "array is larger than any memory",
      [](auto &p) { p.i_desc.stride[0] = kHuge; });
  expectRefused("i_desc.data must be null: images are arguments of "
                "poolLayerApply",
                [](auto &p) { p.i_desc.data = kBias; });
  expectRefused("o_desc.data_type is 0, which is no PoolLayerDataType",
                [](auto &p) { p.o_desc.data_type = 0; });
  expectRefused("i_desc.data_type is -7, which is no PoolLayerDataType",
                [](auto &p) { p.i_desc.data_type = -7; });
  expectRefused("i_desc.data_scale is not finite",
                [](auto &p) { p.i_desc.data_scale = kInf; });
  expectRefused("i_desc.data_bias is not finite",
                [](auto &p) { p.i_desc.data_bias = kNaN; });
  expectRefused("i_desc.data_scale is for integers; that of floats is 0 or 1",
                [](auto &p) { p.i_desc.data_scale = 2; });
  expectRefused("o_desc.data_bias is for integers; that of floats is 0",
                [](auto &p) { p.o_desc.data_scale = p.o_desc.data_bias = 1; });
  expectRefused("o_desc.data_bias is not 0 although data_scale is",
                [](auto &p) { p.o_desc.data_bias = 1; });
  expectRefused("o_desc.size[2] (the channels) is 3, but i_desc has 2",
                [](auto &p) { p.o_desc.size[2] = 3; });
  expectRefused("o_desc.stride lets elements overlap",
                [](auto &p) { p.o_desc.stride[1] = 2; });
}

TEST(LayerFields, Window) {
  expectRefused("k_width is 0, but must be at least 1",
                [](auto &p) { p.k_width = 0; });
  expectRefused("k_height is 18446744073709551615, which is larger than any "
                "memory",
                [](auto &p) { p.k_height = kHuge; });
  expectRefused("y_stride is 0, but must be at least 1",
                [](auto &p) { p.y_stride = 0; });
  expectRefused("x_dilation_stride is 18446744073709551615, which is larger "
                "than any memory",
                [](auto &p) { p.x_dilation_stride = kHuge; });
  expectRefused("y_padding is 18446744073709551615, which is larger than any "
                "memory",
                [](auto &p) { p.y_padding = kHuge; });
  // pad[] takes precedence over x_padding and y_padding, so the message names
  // pad[1].
  expectRefused("pad[1] is 18446744073709551615, which is larger than any "
                "memory",
                [](auto &p) {
                  p.y_padding = kHuge;
                  p.pad[1] = kHuge;
                });
  expectRefused("k_width is 8: the window covers 8 element(s), but "
                "i_desc.size[0] (the width) is 6 with a padding of 0 and 1",
                [](auto &p) {
                  p.k_width = 8;
                  p.pad[1] = 1;
                });
  expectRefused("k_height is 3: the window covers 5 element(s), but "
                "i_desc.size[1] (the height) is 4 with a padding of 0 and 0",
                [](auto &p) {
                  p.k_height = 3;
                  p.y_dilation_stride = 2;
                });
  expectRefused(
      "k_width and x_dilation_stride make a window that is larger "
      "than any memory",
      [](auto &p) { p.k_width = p.x_dilation_stride = size_t(1) << 50; });
  expectRefused("o_desc.size[0] (the width) is 4, but the window gives 3 of 6",
                [](auto &p) { p.o_desc.size[0] = 4; });
  expectRefused("o_desc.size[1] (the height) is 3, but the window gives 1 "
                "(rounded down) or 2 (rounded up) of 4",
                [](auto &p) {
                  p.k_height = 3;
                  p.o_desc.size[1] = 3;
                });
  expectRefused("i_desc.size is larger than any memory with the padding of the "
                "window",
                [](auto &p) {
                  p.x_padding = p.y_padding = size_t(1) << 30;
                  p.x_stride = p.y_stride = size_t(1) << 30;
                  p.o_desc.size[0] = p.o_desc.size[1] = 3;
                });
  // In the layout HWC, size[] is channels, width, height, so size[2] is the
  // height.
  expectRefused("o_desc.size[2] (the height) is 3, but the window gives 2 of 4",
                [](auto &p) {
                  p.i_desc = getImage(2, 6, 4);
                  p.o_desc = getImage(2, 3, 3);
                  p.i_desc.layout = PoolLayerLayoutImageHWC;
                  p.o_desc.layout = PoolLayerLayoutImageHWC;
                });
  // UnMax inverts a pooling: its output is the image that windows cover, so the
  // message names i_desc.
  expectRefused("i_desc.size[0] (the width) is 2, but the window gives 3 of 6",
                [](auto &p) {
                  p.pooling_function = PoolLayerFunctionUnMax;
                  std::swap(p.i_desc, p.o_desc);
                  p.i_desc.size[0] = 2;
                });
}

TEST(LayerFields, Functions) {
  expectRefused("pooling_function is 6, which is no PoolLayerFunction",
                [](auto &p) { p.pooling_function = 6; });
  expectRefused("pooling_function is -1, which is no PoolLayerFunction",
                [](auto &p) { p.pooling_function = -1; });
  expectRefused("pooling_function is AverageCountExcludePadding, but window 0 "
                "of o_desc.size[0] (the width) lies in padding alone",
                [](auto &p) {
                  p.pooling_function =
                      PoolLayerFunctionAverageCountExcludePadding;
                  p.x_padding = 2;
                  p.o_desc.size[0] = 5;
                });
  expectRefused("max_padding is 2, which is no PoolLayerMaxPadding",
                [](auto &p) { p.max_padding = 2; });
  expectRefused("max_padding is Lowest, but only Max, Min and UnMax have it",
                [](auto &p) {
                  p.pooling_function = PoolLayerFunctionL2Norm;
                  p.max_padding = PoolLayerMaxPaddingLowest;
                });
}

TEST(LayerFields, Activation) {
  expectRefused("activation.function is 14, which is no "
                "PoolLayerActivationFunction",
                [](auto &p) { p.activation.function = 14; });
  expectRefused("activation.alpha is not 0, but the activation function does "
                "not use it",
                [](auto &p) { p.activation.alpha = 1; });
  expectRefused("activation.beta is not 0, but the activation function does "
                "not use it",
                [](auto &p) {
                  p.activation.function = PoolLayerActivationLinear;
                  p.activation.beta = kNaN;
                });
  expectRefused("activation.alpha is not a number", [](auto &p) {
    p.activation.function = PoolLayerActivationLinear;
    p.activation.alpha = kNaN;
  });
  expectRefused(
      "activation.alpha is greater than activation.beta: a clamp "
      "needs them in order",
      [](auto &p) { p.activation = {PoolLayerActivationClamp, 1, -1}; });
}

TEST(LayerFields, Bias) {
  auto refuse = [](const std::string &message, const Spoil &spoil) {
    expectRefused(message, [&](PoolLayerParameters &p) {
      setBias(p);
      spoil(p);
    });
  };
  refuse("bias.data is null although bias.size is not 0",
         [](auto &p) { p.bias.data = nullptr; });
  refuse("bias.layout is 2, but must be PoolLayerLayoutVector (1)",
         [](auto &p) { p.bias.layout = PoolLayerLayoutImageCHW; });
  refuse("bias.size[0] is 3, but there are 2 channel(s)",
         [](auto &p) { p.bias.size[0] = 3; });
  refuse("bias.size[1] is 1, but the layout has 1 dimension(s)",
         [](auto &p) { p.bias.size[1] = 1; });
  refuse("bias.data_type is 99, which is no PoolLayerDataType",
         [](auto &p) { p.bias.data_type = 99; });
}

TEST(LayerFields, Runtime) {
  for (size_t threads : {size_t(1025), kHuge}) {
    PoolLayerRuntimeParameters runtime = {threads};
    Attempt attempt([](PoolLayerParameters &) {}, &runtime);
    EXPECT_EQ(attempt.status, PoolLayerStatusInvalidParameter);
    EXPECT_EQ(attempt.message, "n_threads is " + std::to_string(threads) +
                                   ", but must be at most 1024");
  }
}

TEST(LayerFields, NullArguments) {
  PoolLayerParameters parameters = getParameters();
  PoolLayer *layer = nullptr;
  EXPECT_EQ(poolLayerCreate(&parameters, nullptr, nullptr),
            PoolLayerStatusInvalidArgument);
  EXPECT_STREQ(poolLayerGetLastError(), "layer is null");
  EXPECT_EQ(poolLayerCreate(nullptr, nullptr, &layer),
            PoolLayerStatusInvalidArgument);
  EXPECT_STREQ(poolLayerGetLastError(), "parameters is null");
  float in[48] = {}, out[12] = {};
  EXPECT_EQ(poolLayerApply(nullptr, in, out, nullptr),
            PoolLayerStatusInvalidArgument);
  EXPECT_STREQ(poolLayerGetLastError(), "layer is null");
  poolLayerDestroy(nullptr);
}

TEST(LayerFields, Arrays) {
  Attempt attempt([](PoolLayerParameters &) {});
  ASSERT_NE(attempt.layer, nullptr);
  std::vector<float> in(2 * 48 + 1), out(2 * 12);
  std::vector<int64_t> indices(2 * 12);
  auto refuse = [&](const std::string &message, size_t batch, const void *x,
                    size_t xStride, void *y, size_t yStride, int64_t *i,
                    size_t iStride) {
    EXPECT_EQ(poolLayerApplyBatch(attempt.layer, batch, x, xStride, y, yStride,
                                  i, iStride),
              PoolLayerStatusInvalidArgument)
        << message;
    EXPECT_EQ(poolLayerGetLastError(), message);
  };
  float *x = in.data(), *y = out.data();
  int64_t *i = indices.data();
  refuse("in is null", 1, nullptr, 0, y, 0, nullptr, 0);
  refuse("out is null", 1, x, 0, nullptr, 0, nullptr, 0);
  refuse("in is not aligned to its elements of 4 bytes", 1,
         reinterpret_cast<char *>(x) + 1, 0, y, 0, nullptr, 0);
  refuse("in and out overlap", 1, x, 0, x + 47, 0, nullptr, 0);
  refuse("in and out overlap", 1, y + 11, 0, y, 0, nullptr, 0);
  refuse("out_stride is 11, but an image has 12 elements: what is written for "
         "two of them would overlap",
         2, x, 48, y, 11, nullptr, 0);
  refuse("indices_stride is 0, but an image has 12 elements: what is written "
         "for two of them would overlap",
         2, x, 48, y, 12, i, 0);
  refuse("indices and out overlap", 1, x, 48, y, 12,
         reinterpret_cast<int64_t *>(y), 12);
  refuse("in and indices overlap", 1, i, 48, y, 12, i, 12);
  refuse("in_stride is 18446744073709551615, with which a batch of 3 images is "
         "larger than any memory",
         3, x, kHuge, y, 12, nullptr, 0);
  refuse("out_stride is 12, with which a batch of 18446744073709551615 images "
         "is larger than any memory",
         kHuge, x, 0, y, 12, nullptr, 0);
  // An empty batch needs no arrays.
  EXPECT_EQ(
      poolLayerApplyBatch(attempt.layer, 0, nullptr, 0, nullptr, 0, nullptr, 0),
      PoolLayerStatusSuccess);
  // With an input stride of 0 all images read the same array.
  EXPECT_EQ(poolLayerApplyBatch(attempt.layer, 2, x, 0, y, 12, i, 12),
            PoolLayerStatusSuccess);
}

TEST(LayerFields, Indices) {
  Attempt padded([](PoolLayerParameters &p) {
    p.x_padding = 1;
    p.o_desc.size[0] = 4;
  });
  ASSERT_NE(padded.layer, nullptr) << padded.message;
  float in[48] = {}, out[16] = {};
  int64_t indices[16];
  EXPECT_EQ(poolLayerApply(padded.layer, in, out, indices),
            PoolLayerStatusUnsupported);
  EXPECT_STREQ(poolLayerGetLastError(),
               "indices is not null, but the layer has padding that counts as "
               "zero and has no position; PoolLayerMaxPaddingLowest allows for "
               "indices");
  Attempt average([](PoolLayerParameters &p) {
    p.pooling_function = PoolLayerFunctionAverageCountIncludePadding;
  });
  EXPECT_EQ(poolLayerApply(average.layer, in, out, indices),
            PoolLayerStatusInvalidArgument);
  EXPECT_STREQ(poolLayerGetLastError(),
               "indices is not null, but the layer has no positions to give "
               "or to take");
}

TEST(LayerFields, UnMaxIndicesOutOfRange) {
  Attempt unmax([](PoolLayerParameters &p) {
    p.pooling_function = PoolLayerFunctionUnMax;
    std::swap(p.i_desc, p.o_desc);
  });
  ASSERT_NE(unmax.layer, nullptr) << unmax.message;
  float in[24] = {}, out[96] = {};
  EXPECT_EQ(poolLayerApply(unmax.layer, in, out, nullptr),
            PoolLayerStatusInvalidArgument);
  EXPECT_STREQ(poolLayerGetLastError(),
               "indices is null, but UnMax needs them");
  for (int64_t bad :
       {int64_t(-1), int64_t(48), std::numeric_limits<int64_t>::min(),
        std::numeric_limits<int64_t>::max()}) {
    int64_t indices[24] = {};
    indices[17] = bad;
    std::fill(std::begin(out), std::end(out), 7.f);
    EXPECT_EQ(poolLayerApplyBatch(unmax.layer, 2, in, 12, out, 48, indices, 12),
              PoolLayerStatusCheckFailed);
    std::string message = "indices[5] is " + std::to_string(bad) +
                          ", but an output image has positions 0 to 47";
    EXPECT_EQ(poolLayerGetLastError(), "image 1: " + message);
    // The first image is complete, the second untouched.
    EXPECT_EQ(out[47], 0);
    EXPECT_EQ(out[48], 7);
    EXPECT_EQ(out[95], 7);
    EXPECT_EQ(poolLayerApply(unmax.layer, in, out, indices + 12),
              PoolLayerStatusCheckFailed);
    EXPECT_EQ(poolLayerGetLastError(), message);
    EXPECT_EQ(
        poolLayerApplyBatch(unmax.layer, 1, in, 12, out, 48, indices + 12, 12),
        PoolLayerStatusCheckFailed);
    EXPECT_EQ(poolLayerGetLastError(), "image 0: " + message);
  }
}

// Threads share the images. The error must name the first bad image, and the
// good images before it must be complete.
TEST(LayerFields, UnMaxIndicesOutOfRangeOnThreads) {
  constexpr size_t kImages = 32, kSide = 64, kPlane = kSide * kSide;
  PoolLayerRuntimeParameters runtime = {4};
  Attempt unmax(
      [](PoolLayerParameters &p) {
        p.pooling_function = PoolLayerFunctionUnMax;
        p.i_desc = getImage(kSide / 2, kSide / 2, 4);
        p.o_desc = getImage(kSide, kSide, 4);
      },
      &runtime);
  ASSERT_NE(unmax.layer, nullptr) << unmax.message;
  std::vector<float> in(kImages * kPlane, 3), out(kImages * 4 * kPlane, 7);
  std::vector<int64_t> indices(kImages * kPlane, 5);
  indices[30 * kPlane + 1] = indices[11 * kPlane] = -1;
  EXPECT_EQ(poolLayerApplyBatch(unmax.layer, kImages, in.data(), kPlane,
                                out.data(), 4 * kPlane, indices.data(), kPlane),
            PoolLayerStatusCheckFailed);
  EXPECT_EQ(std::string(poolLayerGetLastError()).rfind("image 11: ", 0), 0u)
      << poolLayerGetLastError();
  for (size_t image = 0; image < 11; ++image) {
    EXPECT_EQ(out[image * 4 * kPlane + 4], 0) << image;
    EXPECT_EQ(out[image * 4 * kPlane + 5], 3) << image;
  }
  EXPECT_EQ(out[11 * 4 * kPlane], 7);
}

// Averages of 64-bit integers copy the input with its padding. Here the copy is
// larger than any memory, so the layer must report it.
TEST(LayerFields, OutOfMemory) {
  Attempt average([](PoolLayerParameters &p) {
    p.pooling_function = PoolLayerFunctionAverageCountIncludePadding;
    p.i_desc.data_type = p.o_desc.data_type = PoolLayerDataTypeInt64;
    p.y_padding = p.y_stride = size_t(1) << 44;
    p.o_desc.size[1] = 3;
  });
  ASSERT_NE(average.layer, nullptr) << average.message;
  int64_t in[48] = {}, out[18] = {};
  EXPECT_EQ(poolLayerApply(average.layer, in, out, nullptr),
            PoolLayerStatusOutOfMemory)
      << poolLayerGetLastError();
  EXPECT_EQ(std::string(poolLayerGetLastError()).rfind("out of memory: ", 0),
            0u)
      << poolLayerGetLastError();
}
