// Checked parameters of a layer: the structures of Layer.h, with defaults in
// place of zeros and only valid values in every field.
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

/// An image in the layout of its descriptor.
struct ImageSpec {
  DType element;
  Layout layout;
  /// Listed in memory order, from the slowest dimension to the fastest.
  std::array<int64_t, 3> extents, strides;
  /// Number of elements from the first to the last, gaps included.
  int64_t span;
  /// True if the array is row-major and without gaps. The stride of a dimension
  /// of extent 1 has no effect on this.
  bool isPacked;
  /// A stored integer x represents x * scale + bias.
  float scale, bias;

  bool hasScale() const { return scale != 1 || bias != 0; }
  int64_t getNumElements() const {
    return extents[0] * extents[1] * extents[2];
  }
  unsigned getChannelDim() const { return isChannelsFirst(layout) ? 0 : 2; }
  int64_t getNumChannels() const { return extents[getChannelDim()]; }
  /// True if no two elements share an address. Conservative: may also return
  /// false if the elements are distinct, but the dimensions interleave.
  bool hasDistinctElements() const;
  /// Returns the extents of a packed image that has this image at its beginning
  /// in each dimension, as with a row pitch. Returns none if the strides fit no
  /// packed image.
  std::optional<std::array<int64_t, 3>> getEnclosingExtents() const;
  /// Extent of the height (0) or the width (1).
  int64_t getSpatialExtent(unsigned i) const {
    return extents[isChannelsFirst(layout) ? i + 1 : i];
  }
};

struct LayerSpec {
  PoolLayerFunction function;
  /// The reduction of an extremum; none for other functions.
  std::optional<Reduction> reduction;
  ImageSpec input, output;
  /// Window along height and width. The end padding includes the overhang, so
  /// that rounding floor gives the extents of the output, or of UnMax's input.
  std::array<WindowDim, 2> window;
  PadValue padValue;
  Activation activation;
  /// True if bias, activation and scale are computed in f64, else in f32.
  bool isWide;
  /// True if integers are pooled without conversion to floats.
  bool isIntegral;
  /// Bias of each channel, in f64 if `isWide`, else in f32. Without a bias the
  /// buffer is empty.
  Buffer channelBias;
  /// Maximum number of threads.
  unsigned threads;
  /// True if the user left `threads` open. Then a layer that cannot be compiled
  /// for several threads is compiled for one.
  bool areThreadsOpen;

  bool hasPadding() const {
    return llvm::any_of(window, [](const WindowDim &dim) {
      return dim.padBegin != 0 || dim.padEnd != 0;
    });
  }
  bool hasBias() const { return channelBias.data() != nullptr; }
  bool isUnMax() const { return function == PoolLayerFunctionUnMax; }
  /// True if the layer can return indices: it is an extremum, and no padding
  /// counts as zero. Such a zero has no position.
  bool canGiveIndices() const {
    return reduction && (!isZero(padValue) || !hasPadding());
  }
};

/// Checks and converts all parameters that can be checked before an operation
/// is built. `runtime` may be null.
llvm::Expected<LayerSpec>
getLayerSpec(const PoolLayerParameters &parameters,
             const PoolLayerRuntimeParameters *runtime);

/// Checks and converts the descriptor of an image. `name` is the field of
/// PoolLayerParameters that has it, for messages.
llvm::Expected<ImageSpec> getImageSpec(const PoolLayerDescriptor &descriptor,
                                       llvm::StringRef name);
/// Returns the values of a bias, as f64 if `isWide`, else as f32. Returns an
/// empty buffer if the descriptor has no data.
llvm::Expected<Buffer> getChannelBias(const PoolLayerDescriptor &bias,
                                      int64_t numChannels, bool isWide);

} // namespace mlir::pool::capi

#endif // POOL_LIB_CAPI_LAYER_LAYERSPEC_H
