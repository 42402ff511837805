// A layer's parameters, checked: what the structures of Layer.h say once zeros
// stand for what they mean and every field is known to be a possible one.
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

/// An image as a descriptor lays it out.
struct ImageSpec {
  DType element;
  Layout layout;
  /// In the order in which they are stored: that which changes slowest first.
  std::array<int64_t, 3> extents, strides;
  /// Elements from the first to past the last.
  int64_t span;
  /// True if there are no gaps.
  bool isPacked;
  /// A stored integer x stands for x * scale + bias.
  float scale, bias;

  bool hasScale() const { return scale != 1 || bias != 0; }
  int64_t getNumElements() const {
    return extents[0] * extents[1] * extents[2];
  }
  unsigned getChannelDim() const {
    return layout == Layout::ChannelsFirst ? 0 : 2;
  }
  int64_t getNumChannels() const { return extents[getChannelDim()]; }
  /// True if no two elements are at one place, as far as the strides in order
  /// show it.
  bool hasDistinctElements() const;
  /// The extents of an image without gaps that this one is the beginning of in
  /// each dimension, like rows with a pitch; none if there is no such image.
  std::optional<std::array<int64_t, 3>> getEnclosingExtents() const;
  /// Extent of the height (0) and the width (1).
  int64_t getSpatialExtent(unsigned i) const {
    return extents[layout == Layout::ChannelsFirst ? i + 1 : i];
  }
};

struct LayerSpec {
  PoolLayerFunction function;
  /// What the function chooses an element by, if it does.
  std::optional<Reduction> reduction;
  ImageSpec input, output;
  /// The window along the height and the width. The end padding includes the
  /// overhang, so that rounding down gives the output's extents.
  std::array<WindowDim, 2> window;
  PadValue padValue;
  Activation activation;
  /// True if bias, activation and scale are computed in f64, false if in f32.
  bool isWide;
  /// True if integers are pooled as they are, exactly.
  bool isIntegral;
  /// The bias as f64 or f32, as `isWide` says; without data for none.
  Buffer channelBias;
  /// At most so many threads. Where the user left the number open, one if there
  /// is no library for more.
  unsigned threads;
  bool areThreadsOpen;

  bool hasPadding() const {
    return llvm::any_of(window, [](const WindowDim &dim) {
      return dim.padBegin != 0 || dim.padEnd != 0;
    });
  }
  bool hasBias() const { return channelBias.data() != nullptr; }
  bool isUnMax() const { return function == PoolLayerFunctionUnMax; }
  /// True if there are indices to ask for: a zero of the padding has none.
  bool canGiveIndices() const {
    return reduction && (padValue != PadValue::Zero || !hasPadding());
  }
};

/// Checks everything that does not need an operation. `runtime` may be null.
llvm::Expected<LayerSpec>
getLayerSpec(const PoolLayerParameters &parameters,
             const PoolLayerRuntimeParameters *runtime);

/// Parts of it. `name` is the descriptor's, for messages.
llvm::Expected<ImageSpec> getImageSpec(const PoolLayerDescriptor &descriptor,
                                       llvm::StringRef name);
/// The values of a bias as f64 or f32; without data if it has none.
llvm::Expected<Buffer> getChannelBias(const PoolLayerDescriptor &bias,
                                      int64_t numChannels, bool isWide);

} // namespace mlir::pool::capi

#endif // POOL_LIB_CAPI_LAYER_LAYERSPEC_H
