// Maps windows of StableHLO, which span all dimensions of a tensor, to
// pooling's batch, channels and spatial dimensions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_STABLEHLOTOPOOL_HLOWINDOW_H
#define POOL_LIB_CONVERSION_STABLEHLOTOPOOL_HLOWINDOW_H

#include "InferWithReason.h"
#include "pool/Conversion/UnregisteredStablehlo.h"

namespace mlir::pool {

/// Name of the pass, for its remarks.
inline constexpr llvm::StringLiteral kStablehloToPoolName =
    "convert-stablehlo-to-pool";

/// Sets `reason`, and returns failure.
inline LogicalResult fail(std::string &reason, const Twine &why) {
  reason = why.str();
  return failure();
}

/// The window of one dimension. Negative `low` and `high` remove elements.
/// `baseDilation - 1` elements of padding lie between two neighbouring elements
/// of the input.
struct HloDim {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t baseDilation = 1;
  int64_t low = 0;
  int64_t high = 0;

  /// True if the window leaves the dimension unchanged.
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
bool hasNegativePadding(const HloWindow &window);
bool hasBaseDilation(const HloWindow &window);

/// Value and amounts of a stablehlo.pad.
struct HloPad {
  Value input;
  TypedAttr value;
  /// Sizes and strides are 1. `low`, `high` and `baseDilation` are those of the
  /// pad.
  HloWindow amounts;
};
/// Matches `value` as the result of a stablehlo.pad with a constant.
std::optional<HloPad> matchPad(Value value);

/// Adds `pad` to the padding and base dilation of `window`. The values of both
/// paddings must be equivalent. Returns false and changes nothing if one window
/// cannot express both paddings, for example if one padding removes elements
/// that the other adds.
bool foldPad(HloWindow &window, const HloPad &pad);

/// A pooling window on a tensor that may be sliced first and gets unit
/// dimensions in front.
struct PlacedWindow {
  /// The input of the window in StableHLO.
  Value source;
  /// Number of dimensions of extent 1 that are added before those of `source`.
  unsigned numUnitDims = 0;
  /// Elements that negative padding removes, for each dimension; empty if
  /// none.
  SmallVector<std::pair<int64_t, int64_t>> cuts;
  /// Type of the pooling's input, after the slice and with the unit dimensions.
  RankedTensorType type;
  OwnedWindow window;
};

/// Places `window` on the dimensions of `source`, and decides which are
/// spatial. Fails with a `reason` if there are no dimensions, if the window has
/// a base dilation, or if negative padding may leave no element.
FailureOr<PlacedWindow> placeWindow(Value source, const HloWindow &window,
                                    std::string &reason);

/// Creates the pooling's input: `placed.source`, sliced, with unit dimensions.
Value createSource(OpBuilder &b, Location loc, const PlacedWindow &placed);
/// Adds the unit dimensions to `value`, an input or output without them.
Value addUnitDims(OpBuilder &b, Location loc, const PlacedWindow &placed,
                  Value value);
/// Removes the unit dimensions from `value`, and casts it to `declared`.
Value removeUnitDims(OpBuilder &b, Location loc, const PlacedWindow &placed,
                     Value value, Type declared);
/// Returns `type` with the unit dimensions.
RankedTensorType addUnitDims(const PlacedWindow &placed, RankedTensorType type);

/// True if a result of type `inferred`, after its unit dimensions are removed,
/// can replace one of type `declared`. Else `reason` says why not.
bool fitsResult(const PlacedWindow &placed,
                FailureOr<RankedTensorType> inferred, RankedTensorType declared,
                std::string &reason);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_STABLEHLOTOPOOL_HLOWINDOW_H
