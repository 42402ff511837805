/* Pooling layers for C programs, with an interface like that of BNNS: fill in a
 * structure, create a layer, apply it to images, destroy it.
 *
 * This header is plain C99 and includes no other header of this project. Link
 * libPoolC. docs/Reference/CAPI.md compares the fields with those of BNNS.
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

/* Fields and parameters have the names of their counterparts in BNNS.
 * NOLINTBEGIN(readability-identifier-naming) */

/* Enumerations are integers of a fixed size, so that any value can be checked.
 * The value 0 is valid only in enumerations for which BNNS defines a 0, and as
 * PoolLayerStatusSuccess. */

/** The status that a function returns. Every failure has a message. */
typedef int32_t PoolLayerStatus;
enum {
  PoolLayerStatusSuccess = 0,
  /** An argument of the function is invalid, such as a null pointer or a stride
   * that is too small. */
  PoolLayerStatusInvalidArgument = 1,
  /** A field of a structure has an invalid value; the message names the field.
   */
  PoolLayerStatusInvalidParameter = 2,
  /** A valid combination that is not implemented. */
  PoolLayerStatusUnsupported = 3,
  /** A run-time check failed: an index names no position of the image. */
  PoolLayerStatusCheckFailed = 4,
  /** Memory ran out. */
  PoolLayerStatusOutOfMemory = 5,
  /** Code generation failed, or the library for threads could not be loaded. */
  PoolLayerStatusCompilationFailed = 6
};

/** Element types. Floats are IEEE's; bfloat16 is the upper half of a float32.
 */
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

/** The order of the dimensions in `size` and `stride`: the one that is
 * contiguous in memory comes first. */
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
  /** The largest element; `max_padding` gives the value of padding. */
  PoolLayerFunctionMax = 0,
  /** The sum divided by the number of positions, including padding. */
  PoolLayerFunctionAverageCountIncludePadding = 1,
  /** The sum divided by the number of elements inside the image. */
  PoolLayerFunctionAverageCountExcludePadding = 2,
  /** The inverse of a maximum: each value at its index, zero elsewhere. */
  PoolLayerFunctionUnMax = 3,
  /** The root of the sum of squares. */
  PoolLayerFunctionL2Norm = 4,
  /** The smallest element; `max_padding` gives the value of padding. */
  PoolLayerFunctionMin = 5
};

/** The value of padding in a maximum or a minimum. */
typedef int32_t PoolLayerMaxPadding;
enum {
  /** Zero, as in BNNS. A zero of padding has no position, so a padded layer
   * with this value gives no indices. */
  PoolLayerMaxPaddingZero = 0,
  /** A value that is never chosen: less than every element in a maximum, more
   * in a minimum. A window that covers only padding has index 0. */
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

/** Maximum number of dimensions of a descriptor. */
#define POOL_LAYER_MAX_DIMENSIONS 8

/** An array. Sizes and strides that the layout does not use are 0. */
typedef struct PoolLayerDescriptor {
  PoolLayerLayout layout;
  /** Number of elements of each dimension, in the order of the layout. */
  size_t size[POOL_LAYER_MAX_DIMENSIONS];
  /** Distance between neighbours, in elements. 0 means no gap: 1 for the first
   * dimension, stride times size of the previous one for the others. */
  size_t stride[POOL_LAYER_MAX_DIMENSIONS];
  /** The elements of a bias, which are copied; null for an image. */
  const void *data;
  PoolLayerDataType data_type;
  /** A stored integer x represents x * data_scale + data_bias. A scale of 0
   * means 1, with a bias of 0. Floats have no scale. */
  float data_scale;
  float data_bias;
} PoolLayerDescriptor;

/** An activation. alpha and beta are 0 if the function does not use them. */
typedef struct PoolLayerActivation {
  PoolLayerActivationFunction function;
  float alpha;
  float beta;
} PoolLayerActivation;

/** A pooling layer: y = activation(pooled + bias[channel]).
 *
 * Pooling, bias and activation are computed on the values that integers
 * represent. For an integer output the result is rounded to nearest (ties to
 * even) and saturated. The result is exact if input and output have the same
 * integer type, and there is no scale, no bias and no activation.
 *
 * Along each axis, with p the padding of both sides together, the output has
 * floor or ceil((input + p - window) / stride) + 1 elements. The sizes in
 * `o_desc` select floor or ceil. Positions that the last window covers past the
 * padding count as padding. For UnMax, `o_desc` is the image, and `i_desc` is
 * the result of a maximum with the same window. */
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
  /** Distance between neighbouring windows, at least 1. */
  size_t x_stride;
  size_t y_stride;
  /** Distance between neighbouring elements of a window; 0 means 1. */
  size_t x_dilation_stride;
  size_t y_dilation_stride;
  /** Padding on each of two sides, unless `pad` replaces it. */
  size_t x_padding;
  size_t y_padding;
  /** Padding left, right, above and below. Replaces x_padding and y_padding
   * unless all four are 0. */
  size_t pad[4];
  /** Value of padding for Max and Min; for UnMax, the value that its maximum
   * used. */
  PoolLayerMaxPadding max_padding;
} PoolLayerParameters;

/** Options for running a layer. */
typedef struct PoolLayerRuntimeParameters {
  /** Maximum number of threads of a call, up to 1024. More than 1 needs
   * OpenMP's library (libomp). 0 means one for each processor if libomp is
   * installed, else 1. A call with too little work runs on the calling thread
   * alone. */
  size_t n_threads;
} PoolLayerRuntimeParameters;

/** A compiled layer, immutable. */
typedef struct PoolLayer PoolLayer;

/** Compiles a layer and stores it at `layer`. On failure, stores null.
 * `runtime` may be null, which means a structure of zeros. The layer keeps no
 * reference to either structure. */
POOL_LAYER_EXPORT PoolLayerStatus
poolLayerCreate(const PoolLayerParameters *parameters,
                const PoolLayerRuntimeParameters *runtime, PoolLayer **layer);

/** Applies a layer to one image. `in` and `out` are arrays with the layout of
 * their descriptors. The two arrays do not overlap, and gaps between the
 * elements of `out` are not written. `indices` depends on the function:
 * - Max, Min: null, or memory for the position of each chosen element in the
 *   input image. The first of equal elements is chosen.
 * - UnMax: the position of each element of `in` in the output image. A position
 *   outside that image is an error, found before anything is written to it.
 * - the other functions: null.
 * A position counts the elements of an image in the order of its layout,
 * without gaps. `indices` has no gaps, and the order of `out` (UnMax: of `in`).
 *
 * Any number of threads may apply a layer at the same time. */
POOL_LAYER_EXPORT PoolLayerStatus poolLayerApply(const PoolLayer *layer,
                                                 const void *in, void *out,
                                                 int64_t *indices);

/** Applies a layer to `batch_size` images. Image `i` is at `in + i *
 * in_stride`, `out + i * out_stride` and `indices + i * indices_stride`, in
 * elements. The outputs of two images must not overlap. An error ends the batch
 * and names an image; later images may be done already. */
POOL_LAYER_EXPORT PoolLayerStatus poolLayerApplyBatch(
    const PoolLayer *layer, size_t batch_size, const void *in, size_t in_stride,
    void *out, size_t out_stride, int64_t *indices, size_t indices_stride);

/** Destroys a layer that no thread is applying. `layer` may be null. */
POOL_LAYER_EXPORT void poolLayerDestroy(PoolLayer *layer);

/** Returns the message of this thread's last failed call. Never null; valid
 * until the thread's next failed call. */
POOL_LAYER_EXPORT const char *poolLayerGetLastError(void);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif /* POOL_C_LAYER_H */
