// Windows of StableHLO, which span all dimensions of a tensor, and their fit to
// pooling, which has batch, channels and spatial dimensions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_STABLEHLOTOPOOL_HLOWINDOW_H
#define POOL_LIB_CONVERSION_STABLEHLOTOPOOL_HLOWINDOW_H

#include "../Hlo.h"
#include "../Raising.h"

namespace mlir::pool {

/// Name of the pass, for its remarks.
inline constexpr llvm::StringLiteral kStablehloToPoolName =
    "convert-stablehlo-to-pool";

/// The window of one dimension. `low` and `high` may be negative: they cut off
/// elements. Between two elements of the input lie `baseDilation - 1` others.
struct HloDim {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t baseDilation = 1;
  int64_t low = 0;
  int64_t high = 0;

  /// True if the dimension is left as it is.
  bool isTrivial() const {
    return size == 1 && stride == 1 && baseDilation == 1 && low == 0 &&
           high == 0;
  }
};
using HloWindow = SmallVector<HloDim>;

/// Reads the window of a reduce_window or select_and_scatter over `rank`
/// dimensions. Every size, stride and dilation is at least 1.
FailureOr<HloWindow> readWindow(Operation *op, unsigned rank,
                                std::string &reason);

bool hasPadding(const HloWindow &window);
bool hasBaseDilation(const HloWindow &window);

/// What a stablehlo.pad pads with, and by how much.
struct HloPad {
  Value input;
  TypedAttr value;
  /// Sizes are 1; low, high and baseDilation are the pad's.
  HloWindow amounts;
};
/// The stablehlo.pad with a constant that defines `value`.
std::optional<HloPad> matchPad(Value value);

/// Adds `pad` to the padding of `window`, whose own padding has the same
/// effect. False, and nothing is changed, if the sum is none: one of them cuts
/// off what the other one adds.
bool foldPad(HloWindow &window, const HloPad &pad);

/// A window on a part of a tensor, with unit dimensions in front.
struct PlacedWindow {
  /// The input of the window in StableHLO.
  Value source;
  /// Dimensions of extent 1 before the input's own.
  unsigned numUnitDims = 0;
  /// Elements that negative padding cuts off, for each dimension; empty if
  /// none.
  SmallVector<std::pair<int64_t, int64_t>> cuts;
  /// Type of what the window slides over, `numUnitDims` included.
  RankedTensorType type;
  OwnedWindow window;
};

/// Decides which dimensions are spatial. Fails with a `reason` if the window
/// dilates its base, or if pooling has no such window.
FailureOr<PlacedWindow> placeWindow(Value source, const HloWindow &window,
                                    std::string &reason);

/// `placed.source`, or what pooling takes of it.
Value createSource(OpBuilder &b, Location loc, const PlacedWindow &placed);
/// A tensor of the input's or the output's shape with the unit dimensions that
/// the source got.
Value addUnitDims(OpBuilder &b, Location loc, const PlacedWindow &placed,
                  Value value);
/// The inverse: `value` in the type `declared`.
Value removeUnitDims(OpBuilder &b, Location loc, const PlacedWindow &placed,
                     Value value, Type declared);
/// `type` with the unit dimensions.
RankedTensorType addUnitDims(const PlacedWindow &placed, RankedTensorType type);

/// True if a result of type `inferred` can replace a `declared` one after its
/// unit dimensions are gone; else `reason` says why not.
bool fitsResult(const PlacedWindow &placed,
                FailureOr<RankedTensorType> inferred, RankedTensorType declared,
                std::string &reason);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_STABLEHLOTOPOOL_HLOWINDOW_H
