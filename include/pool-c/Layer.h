/* Pooling layers for programs in C, in the shape that users of BNNS know: fill
 * in a structure, create a layer, apply it to images, destroy it.
 *
 * Plain C99 and no other header of this project: link libPoolC. docs/Reference/CAPI.md goes
 * through the fields beside those of BNNS.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#ifndef POOL_C_LAYER_H
#define POOL_C_LAYER_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define POOL_LAYER_EXPORT
#else
#define POOL_LAYER_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Fields and parameters have the names that they have in BNNS.
 * NOLINTBEGIN(readability-identifier-naming) */

/* Enumerations are integers of a fixed size, so that any value can be checked.
 * 0 is a choice only where BNNS's 0 is one. */

/** The status that a function returns. All but success have a message. */
typedef int32_t PoolLayerStatus;
enum {
  PoolLayerStatusSuccess = 0,
  /** An argument of the function: a null pointer, a stride too small. */
  PoolLayerStatusInvalidArgument = 1,
  /** A field of a structure, which the message names, has no such value. */
  PoolLayerStatusInvalidParameter = 2,
  /** A combination that has a meaning but no code. */
  PoolLayerStatusUnsupported = 3,
  /** A run-time check failed: an index names no position of the image. */
  PoolLayerStatusCheckFailed = 4,
  /** Memory ran out. */
  PoolLayerStatusOutOfMemory = 5,
  /** The code could not be generated, or a library for threads not loaded. */
  PoolLayerStatusCompilationFailed = 6
};

/** Element types. Floats are IEEE's, bfloat16 the upper half of a float32. */
typedef int32_t PoolLayerDataType;
enum {
  PoolLayerDataTypeFloat16 = 1,
  PoolLayerDataTypeBFloat16 = 2,
  PoolLayerDataTypeFloat32 = 3,
  PoolLayerDataTypeFloat64 = 4,
  PoolLayerDataTypeInt8 = 5,
  PoolLayerDataTypeInt16 = 6,
  PoolLayerDataTypeInt32 = 7,
  PoolLayerDataTypeInt64 = 8,
  PoolLayerDataTypeUInt8 = 9,
  PoolLayerDataTypeUInt16 = 10,
  PoolLayerDataTypeUInt32 = 11,
  PoolLayerDataTypeUInt64 = 12
};

/** The order of the dimensions in `size` and `stride`: the one that changes
 * fastest in memory comes first. */
typedef int32_t PoolLayerLayout;
enum {
  /** size = {length}: a bias. */
  PoolLayerLayoutVector = 1,
  /** size = {width, height, channels}: planes. */
  PoolLayerLayoutImageCHW = 2,
  /** size = {channels, width, height}: pixels. */
  PoolLayerLayoutImageHWC = 3
};

typedef int32_t PoolLayerFunction;
enum {
  /** The largest element; padding counts as `max_padding` says. */
  PoolLayerFunctionMax = 0,
  /** The sum over the number of positions, padding counted. */
  PoolLayerFunctionAverageCountIncludePadding = 1,
  /** The sum over the number of elements inside the image. */
  PoolLayerFunctionAverageCountExcludePadding = 2,
  /** The inverse of a maximum: each value at its index, zero elsewhere. */
  PoolLayerFunctionUnMax = 3,
  /** The root of the sum of squares. */
  PoolLayerFunctionL2Norm = 4,
  /** The smallest element; padding counts as `max_padding` says. */
  PoolLayerFunctionMin = 5
};

/** What padding counts as in a maximum or a minimum. */
typedef int32_t PoolLayerMaxPadding;
enum {
  /** Zero, as in BNNS. A zero of the padding has no position: where padding is
   * not 0, such a layer gives no indices. */
  PoolLayerMaxPaddingZero = 0,
  /** What is never chosen: less than every element in a maximum, more in a
   * minimum. A window of padding alone has index 0. */
  PoolLayerMaxPaddingLowest = 1
};

typedef int32_t PoolLayerActivationFunction;
enum {
  /** x */
  PoolLayerActivationIdentity = 0,
  /** max(0, x) */
  PoolLayerActivationRectifiedLinear = 1,
  /** alpha * x where x < 0, else x */
  PoolLayerActivationLeakyRectifiedLinear = 2,
  /** 1 / (1 + exp(-x)) */
  PoolLayerActivationSigmoid = 3,
  /** tanh(x) */
  PoolLayerActivationTanh = 4,
  /** alpha * tanh(beta * x) */
  PoolLayerActivationScaledTanh = 5,
  /** |x| */
  PoolLayerActivationAbs = 6,
  /** alpha * x */
  PoolLayerActivationLinear = 7,
  /** min(max(x, alpha), beta) */
  PoolLayerActivationClamp = 8,
  /** log(1 + exp(x)) */
  PoolLayerActivationSoftplus = 9,
  /** exp(x) over its sum across the channels */
  PoolLayerActivationSoftmax = 10,
  /** x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) */
  PoolLayerActivationGELU = 11,
  /** x / (1 + exp(-x)) */
  PoolLayerActivationSiLU = 12,
  /** min(max(alpha * x + beta, 0), 1) */
  PoolLayerActivationHardSigmoid = 13
};

/** Dimensions that a descriptor has room for. */
#define POOL_LAYER_MAX_DIMENSIONS 8

/** An array. Sizes and strides that the layout does not use are 0. */
typedef struct PoolLayerDescriptor {
  PoolLayerLayout layout;
  /** Elements of each dimension, in the order of the layout. */
  size_t size[POOL_LAYER_MAX_DIMENSIONS];
  /** Distance of neighbours in elements. 0 stands for no gap: 1 for the first
   * dimension, stride times size of the previous one for the others. */
  size_t stride[POOL_LAYER_MAX_DIMENSIONS];
  /** The elements of a bias, which are copied; null for an image. */
  const void *data;
  PoolLayerDataType data_type;
  /** A stored integer x stands for x * data_scale + data_bias. A scale of 0 is
   * none (1), with a bias of 0. Floats have none. */
  float data_scale;
  float data_bias;
} PoolLayerDescriptor;

/** An activation. What a function does not use of alpha and beta is 0. */
typedef struct PoolLayerActivation {
  PoolLayerActivationFunction function;
  float alpha;
  float beta;
} PoolLayerActivation;

/** A pooling layer: y = activation(pooled + bias[channel]).
 *
 * Pooling, bias and activation are computed on what integers stand for, and
 * the result is rounded to nearest (ties to even) and saturated where the
 * output is of integers. With equal integer types, neither scale nor bias nor
 * activation, all of it is exact.
 *
 * Along each axis, with p the padding on both of its sides together, the output
 * has floor or ceil((input + p - window) / stride) + 1 elements: which one
 * `o_desc` says. What the last window then covers past the padding counts as
 * padding. For UnMax `o_desc` is the image and `i_desc` what a maximum with the
 * same window gives of it. */
typedef struct PoolLayerParameters {
  PoolLayerDescriptor i_desc;
  PoolLayerDescriptor o_desc;
  /** A vector with an element for each channel; none if its data is null. */
  PoolLayerDescriptor bias;
  PoolLayerActivation activation;
  PoolLayerFunction pooling_function;
  /** The window, at least 1. */
  size_t k_width;
  size_t k_height;
  /** The distance from one window to the next, at least 1. */
  size_t x_stride;
  size_t y_stride;
  /** The distance from one element of a window to the next; 0 is 1. */
  size_t x_dilation_stride;
  size_t y_dilation_stride;
  /** Padding on each of two sides, unless `pad` says otherwise. */
  size_t x_padding;
  size_t y_padding;
  /** Padding left, right, above and below. Unless all four are 0 they hold, and
   * not x_padding and y_padding. */
  size_t pad[4];
  /** The padding's value for Max and Min; for UnMax that of its maximum. */
  PoolLayerMaxPadding max_padding;
} PoolLayerParameters;

/** Options for running a layer. */
typedef struct PoolLayerRuntimeParameters {
  /** At most so many threads run a call, up to 1024. 0 is one for each
   * processor, where OpenMP's library (libomp) is installed; more than 1 needs
   * it. Work that is not worth it stays on the calling thread. */
  size_t n_threads;
} PoolLayerRuntimeParameters;

/** A compiled layer, immutable. */
typedef struct PoolLayer PoolLayer;

/** Compiles a layer and stores it at `layer`, null if that fails. `runtime` may
 * be null, which is a structure of zeros. Neither structure is referred to
 * afterwards. */
POOL_LAYER_EXPORT PoolLayerStatus
poolLayerCreate(const PoolLayerParameters *parameters,
                const PoolLayerRuntimeParameters *runtime, PoolLayer **layer);

/** Applies a layer to one image. `in` and `out` are arrays as their descriptors
 * say; they do not overlap, and nothing between the elements of `out` is
 * written. `indices` of
 * - Max, Min: null, or where to store a position for each element of `out`:
 * counted in the input's image in the order of its layout, without gaps. The
 * first of equals is chosen.
 * - UnMax: the position of each element of `in`. One outside of the image is an
 *   error, found before anything is written to that image.
 * - the other functions: null.
 * They are in the order of `out` (UnMax: `in`) and without gaps.
 *
 * Any number of threads may apply a layer at the same time. */
POOL_LAYER_EXPORT PoolLayerStatus poolLayerApply(const PoolLayer *layer,
                                                 const void *in, void *out,
                                                 int64_t *indices);

/** Applies a layer to `batch_size` images, image `i` being at `in + i *
 * in_stride`, `out + i * out_stride` and `indices + i * indices_stride`, in
 * elements. What is written for two images does not overlap. An error ends the
 * batch; images after the one that its message names may have been done. */
POOL_LAYER_EXPORT PoolLayerStatus poolLayerApplyBatch(
    const PoolLayer *layer, size_t batch_size, const void *in, size_t in_stride,
    void *out, size_t out_stride, int64_t *indices, size_t indices_stride);

/** Destroys a layer that no thread applies; null is none. */
POOL_LAYER_EXPORT void poolLayerDestroy(PoolLayer *layer);

/** The message of this thread's last call that failed. Never null; valid until
 * the thread's next call that fails. */
POOL_LAYER_EXPORT const char *poolLayerGetLastError(void);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif /* POOL_C_LAYER_H */
