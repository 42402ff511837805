// The parameters of a layer after all checks. They have the meaning of the
// structures of Layer.h, but defaults replace zeros and every value is valid.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CAPI_LAYER_LAYERSPEC_H
#define POOL_LIB_CAPI_LAYER_LAYERSPEC_H

#include "pool-c/Layer.h"
#include "pool/Dialect/Pool/Utils/Activation.h"
#include "pool/ExecutionEngine/ArrayType.h"
#include "pool/ExecutionEngine/Buffer.h"
#include "pool/Support/WindowRules.h"

#include <array>
#include <optional>

namespace mlir::pool::capi {

/// An image. Its dimensions are channels, height and width, or with channels
/// last height, width and channels.
struct ImageSpec {
  DType element;
  Layout layout;
  /// Extents and strides in elements, from the slowest dimension to the
  /// fastest.
  std::array<int64_t, 3> extents, strides;
  /// Number of elements from the first to the last, including gaps.
  int64_t span;
  /// True if the image is row-major and without gaps. The stride of a dimension
  /// of extent 1 does not matter.
  bool isPacked;
  /// A stored integer x represents x * scale + bias.
  float scale, bias;

  bool hasScale() const { return scale != 1 || bias != 0; }
  int64_t getNumElements() const {
    return extents[0] * extents[1] * extents[2];
  }
  unsigned getChannelDim() const { return isChannelsFirst(layout) ? 0 : 2; }
  int64_t getNumChannels() const { return extents[getChannelDim()]; }
  /// True if it is certain that no two elements have the same address. May be
  /// false although all addresses differ, if dimensions are interleaved.
  bool hasDistinctElements() const;
  /// Returns the extents of a larger image without gaps. This image is a part
  /// of it that begins at its first element, as with a row pitch. Returns none
  /// if the strides do not fit such an image.
  std::optional<std::array<int64_t, 3>> getEnclosingExtents() const;
  /// Returns the extent of the height (`i` = 0) or of the width (`i` = 1).
  int64_t getSpatialExtent(unsigned i) const {
    return extents[isChannelsFirst(layout) ? i + 1 : i];
  }
};

struct LayerSpec {
  PoolLayerFunction function;
  /// The reduction of Max or Min. None for other functions.
  std::optional<Reduction> reduction;
  ImageSpec input, output;
  /// The window along the height and along the width. The end padding includes
  /// the overhang, so that rounding floor gives the extents of the output (for
  /// UnMax, those of the input).
  std::array<WindowDim, 2> window;
  PadValue padValue;
  Activation activation;
  /// True if bias, activation and scale are computed in f64, false for f32.
  bool isWide;
  /// True if integers are pooled without converting them to floats.
  bool isIntegral;
  /// The bias of each channel, in f64 if `isWide`, otherwise in f32. Empty if
  /// there is no bias.
  Buffer channelBias;
  /// Maximum number of threads for a call.
  unsigned threads;
  /// True if the user did not choose the number of threads. If the layer cannot
  /// be compiled for several threads, it is then compiled for one.
  bool areThreadsOpen;

  bool hasPadding() const {
    return llvm::any_of(window, [](const WindowDim &dim) {
      return dim.padBegin != 0 || dim.padEnd != 0;
    });
  }
  bool hasBias() const { return channelBias.data() != nullptr; }
  bool isUnMax() const { return function == PoolLayerFunctionUnMax; }
  /// True if the layer can return indices: the function is Max or Min, and no
  /// padding counts as zero. A zero of padding has no position.
  bool canGiveIndices() const {
    return reduction && (!isZero(padValue) || !hasPadding());
  }
};

/// Returns the checked parameters. Fails if one of them is invalid; some can be
/// checked only when an operation is built. `runtime` may be null.
llvm::Expected<LayerSpec>
getLayerSpec(const PoolLayerParameters &parameters,
             const PoolLayerRuntimeParameters *runtime);

/// Returns the checked descriptor of an image. `name` is its field in
/// PoolLayerParameters, for messages.
llvm::Expected<ImageSpec> getImageSpec(const PoolLayerDescriptor &descriptor,
                                       llvm::StringRef name);
/// Returns the checked values of a bias for `numChannels` channels, in f64 if
/// `isWide`, otherwise in f32. Returns an empty buffer if the descriptor has no
/// data.
llvm::Expected<Buffer> getChannelBias(const PoolLayerDescriptor &bias,
                                      int64_t numChannels, bool isWide);

} // namespace mlir::pool::capi

#endif // POOL_LIB_CAPI_LAYER_LAYERSPEC_H
