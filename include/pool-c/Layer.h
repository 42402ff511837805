/* Pooling layers for C programs. The interface resembles that of BNNS: fill in
 * a structure, create a layer, apply it to images, destroy it.
 *
 * This header is plain C99 and does not include other headers of this project.
 * Link libPoolC. docs/Reference/CAPI.md compares the fields with those of BNNS.
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

/* Enumerations are integers of a fixed size, so that every value can be
 * checked. The value 0 is valid only in enumerations for which BNNS defines a
 * 0, and in PoolLayerStatus. */

/** The status that a function returns. After a failure, poolLayerGetLastError
 * returns a message. */
typedef int32_t PoolLayerStatus;
enum {
  PoolLayerStatusSuccess = 0,
  /** An argument of the function is invalid: for example, it is a null pointer
   * or a stride that is too small. */
  PoolLayerStatusInvalidArgument = 1,
  /** A field of a structure has an invalid value. The message names the field.
   */
  PoolLayerStatusInvalidParameter = 2,
  /** The combination of values is valid, but not implemented. */
  PoolLayerStatusUnsupported = 3,
  /** A run-time check failed: an index is no position of the image. */
  PoolLayerStatusCheckFailed = 4,
  /** There was not enough memory. */
  PoolLayerStatusOutOfMemory = 5,
  /** Code generation failed, or the library for threads could not be loaded. */
  PoolLayerStatusCompilationFailed = 6
};

/** Element types. Floats are those of IEEE 754, and bfloat16 is the upper half
 * of a float32. */
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

/** Order of the dimensions in `size` and `stride` of a descriptor. The
 * dimension whose elements are neighbors in memory comes first. */
typedef int32_t PoolLayerLayout;
enum {
  /** size = {length}. For a bias. */
  PoolLayerLayoutVector = 1,
  /** size = {width, height, channels}. Each channel is a plane. */
  PoolLayerLayoutImageCHW = 2,
  /** size = {channels, width, height}. The channels of a pixel are neighbors.
   */
  PoolLayerLayoutImageHWC = 3
};

typedef int32_t PoolLayerFunction;
enum {
  /** The largest element. `max_padding` gives the value of padding. */
  PoolLayerFunctionMax = 0,
  /** The sum of the elements, divided by the number of positions of the window,
   * including padding. */
  PoolLayerFunctionAverageCountIncludePadding = 1,
  /** The sum of the elements, divided by their number. Padding does not count.
   */
  PoolLayerFunctionAverageCountExcludePadding = 2,
  /** The inverse of Max: writes each value to the position that its index
   * names, and zero to all others. */
  PoolLayerFunctionUnMax = 3,
  /** The square root of the sum of the squared elements. */
  PoolLayerFunctionL2Norm = 4,
  /** The smallest element. `max_padding` gives the value of padding. */
  PoolLayerFunctionMin = 5
};

/** The value that padding has for Max and Min. */
typedef int32_t PoolLayerMaxPadding;
enum {
  /** Padding is zero, as in BNNS. Such a zero has no position, so a layer that
   * has padding and this value cannot return indices. */
  PoolLayerMaxPaddingZero = 0,
  /** Padding is never chosen: it is less than every element for Max, and
   * greater for Min. A window that contains only padding has index 0. */
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
  /** exp(x), divided by the sum of exp(x) over all channels */
  PoolLayerActivationSoftmax = 10,
  /** x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) */
  PoolLayerActivationGELU = 11,
  /** x / (1 + exp(-x)) */
  PoolLayerActivationSiLU = 12,
  /** min(max(alpha * x + beta, 0), 1) */
  PoolLayerActivationHardSigmoid = 13
};

/** Maximum number of dimensions in a descriptor. */
#define POOL_LAYER_MAX_DIMENSIONS 8

/** Describes an array. Sizes and strides of dimensions that the layout does not
 * have must be 0. */
typedef struct PoolLayerDescriptor {
  PoolLayerLayout layout;
  /** Number of elements in each dimension, in the order of the layout. */
  size_t size[POOL_LAYER_MAX_DIMENSIONS];
  /** Distance between neighbors in each dimension, in elements. 0 means that
   * there is no gap: the stride is then 1 for the first dimension, and the
   * product of the stride and the size of the dimension before for all others.
   */
  size_t stride[POOL_LAYER_MAX_DIMENSIONS];
  /** The elements of a bias, which are copied. Null for an image. */
  const void *data;
  PoolLayerDataType data_type;
  /** A stored integer x represents x * data_scale + data_bias. If data_scale is
   * 0, the scale is 1, and data_bias must be 0. For floats, data_scale must be
   * 0 or 1, and data_bias must be 0. */
  float data_scale;
  float data_bias;
} PoolLayerDescriptor;

/** An activation. `alpha` and `beta` must be 0 if the function does not use
 * them. */
typedef struct PoolLayerActivation {
  PoolLayerActivationFunction function;
  float alpha;
  float beta;
} PoolLayerActivation;

/** A pooling layer. It computes y = activation(pooled + bias[channel]).
 *
 * Pooling, bias and activation are computed on the values that stored integers
 * represent. If the output is an integer, the result is rounded to nearest,
 * ties to even, and clamped to the range of the type. The result is exact if
 * input and output have the same integer type, there is no scale, bias or
 * activation, and the function is not L2Norm.
 *
 * Let p be the padding of both sides of an axis together, and let w be the
 * extent of the window, (k - 1) * dilation + 1. Then the output has
 * floor((input + p - w) / stride) + 1 elements along this axis, or ceil instead
 * of floor. The sizes in `o_desc` select floor or ceil. Positions of the last
 * window after the padding count as padding. For UnMax, `o_desc` describes the
 * image, and `i_desc` the result of a maximum with the same window. */
typedef struct PoolLayerParameters {
  PoolLayerDescriptor i_desc;
  PoolLayerDescriptor o_desc;
  /** A vector with an element for each channel. If its `data` is null, there is
   * no bias, and its sizes must be 0. */
  PoolLayerDescriptor bias;
  PoolLayerActivation activation;
  PoolLayerFunction pooling_function;
  /** Extents of the window, at least 1. */
  size_t k_width;
  size_t k_height;
  /** Distance between neighboring windows, at least 1. */
  size_t x_stride;
  size_t y_stride;
  /** Distance between neighboring elements of a window. 0 means 1. */
  size_t x_dilation_stride;
  size_t y_dilation_stride;
  /** Padding on the left and on the right (x), above and below (y). Used if all
   * of `pad` is 0. */
  size_t x_padding;
  size_t y_padding;
  /** Padding left, right, above and below. If one of them is not 0, they
   * replace x_padding and y_padding. */
  size_t pad[4];
  /** The value of padding for Max and Min. For UnMax, the value that its
   * maximum used. */
  PoolLayerMaxPadding max_padding;
} PoolLayerParameters;

/** Options for applying a layer. */
typedef struct PoolLayerRuntimeParameters {
  /** Maximum number of threads that a call uses, at most 1024. More than 1
   * requires OpenMP's library (libomp). 0 means one thread for each processor
   * if libomp is installed, and otherwise one thread. A call with too little
   * work uses only the calling thread. */
  size_t n_threads;
} PoolLayerRuntimeParameters;

/** A compiled layer. It never changes. */
typedef struct PoolLayer PoolLayer;

/** Compiles a layer and stores it in `*layer`. Stores null if it fails.
 * `runtime` may be null, which means the same as a structure of zeros. The
 * layer does not refer to the two structures afterwards. */
POOL_LAYER_EXPORT PoolLayerStatus
poolLayerCreate(const PoolLayerParameters *parameters,
                const PoolLayerRuntimeParameters *runtime, PoolLayer **layer);

/** Applies a layer to one image. `in` and `out` are arrays with the layouts of
 * the descriptors, and must not overlap. Gaps between the elements of `out`
 * are not written. The meaning of `indices` depends on the function:
 * - Max, Min: either null, or memory for the position of each chosen element
 *   in the input image. Of equal elements, the first is chosen.
 * - UnMax: the position of each element of `in` in the output image. The call
 *   fails, before it writes anything, if a position is outside that image.
 * - All other functions: null.
 *
 * A position is the number of an element if the elements of an image are
 * counted in the order of its layout, without gaps. The elements of `indices`
 * have the same order as those of `out` (for UnMax, those of `in`), without
 * gaps.
 *
 * Several threads may apply a layer at the same time. */
POOL_LAYER_EXPORT PoolLayerStatus poolLayerApply(const PoolLayer *layer,
                                                 const void *in, void *out,
                                                 int64_t *indices);

/** Applies a layer to `batch_size` images. Image i begins at `in + i *
 * in_stride`, `out + i * out_stride` and `indices + i * indices_stride`; the
 * strides count elements. The outputs of two images must not overlap. If an
 * image fails, the call fails, and its message names the image. Other images,
 * including later ones, may have been written then. */
POOL_LAYER_EXPORT PoolLayerStatus poolLayerApplyBatch(
    const PoolLayer *layer, size_t batch_size, const void *in, size_t in_stride,
    void *out, size_t out_stride, int64_t *indices, size_t indices_stride);

/** Destroys a layer. No thread may be applying it. `layer` may be null. */
POOL_LAYER_EXPORT void poolLayerDestroy(PoolLayer *layer);

/** Returns the message of the last failed call on this thread. The result is
 * never null. It is valid until the next failed call on this thread. */
POOL_LAYER_EXPORT const char *poolLayerGetLastError(void);

/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif /* POOL_C_LAYER_H */
