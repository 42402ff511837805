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
  /// Number of elements from the first to one past the last, gaps included.
  int64_t span;
  /// True if the elements have no gaps.
  bool isPacked;
  /// A stored integer x represents x * scale + bias.
  float scale, bias;

  bool hasScale() const { return scale != 1 || bias != 0; }
  int64_t getNumElements() const {
    return extents[0] * extents[1] * extents[2];
  }
  unsigned getChannelDim() const { return isChannelsFirst(layout) ? 0 : 2; }
  int64_t getNumChannels() const { return extents[getChannelDim()]; }
  /// True if no two elements share an address. Conservative: false if the
  /// strides in order do not prove it.
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
  /// that rounding floor gives the output's extents.
  std::array<WindowDim, 2> window;
  PadValue padValue;
  Activation activation;
  /// True if bias, activation and scale are computed in f64, else in f32.
  bool isWide;
  /// True if integers are pooled without scaling, exactly.
  bool isIntegral;
  /// Bias in f64 or f32 according to `isWide`; no data if there is none.
  Buffer channelBias;
  /// Maximum number of threads. If the user left it open, it falls back to 1
  /// where the runtime library for threads is missing.
  unsigned threads;
  bool areThreadsOpen;

  bool hasPadding() const {
    return llvm::any_of(window, [](const WindowDim &dim) {
      return dim.padBegin != 0 || dim.padEnd != 0;
    });
  }
  bool hasBias() const { return channelBias.data() != nullptr; }
  bool isUnMax() const { return function == PoolLayerFunctionUnMax; }
  /// True if the layer has indices: padding that counts as zero has none.
  bool canGiveIndices() const {
    return reduction && (!isZero(padValue) || !hasPadding());
  }
};

/// Checks all parameters that can be checked before an operation is built.
/// `runtime` may be null.
llvm::Expected<LayerSpec>
getLayerSpec(const PoolLayerParameters &parameters,
             const PoolLayerRuntimeParameters *runtime);

/// Checks one descriptor. `name` is its field, for messages.
llvm::Expected<ImageSpec> getImageSpec(const PoolLayerDescriptor &descriptor,
                                       llvm::StringRef name);
/// Returns the values of a bias as f64 or f32; no data if there is none.
llvm::Expected<Buffer> getChannelBias(const PoolLayerDescriptor &bias,
                                      int64_t numChannels, bool isWide);

} // namespace mlir::pool::capi

#endif // POOL_LIB_CAPI_LAYER_LAYERSPEC_H
