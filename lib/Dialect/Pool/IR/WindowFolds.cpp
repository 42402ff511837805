// Tells which parameters of a window have no effect.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WindowFolds.h"

using namespace mlir;
using namespace mlir::pool;

bool pool::touchesNoPadding(const WindowAttrs &window) {
  return !window.modes.isSame() && !roundsUp(window.modes.rounding) &&
         !window.hasExplicitPads();
}

bool pool::isIdentityWindow(const WindowAttrs &window) {
  if (!isAll(window.kernel, 1) || !isAll(window.strides, 1))
    return false;
  // A same_* window of one element with stride 1 has no padding, so only
  // explicit pads matter.
  return !window.hasExplicitPads();
}

bool pool::roundsLikeFloor(const WindowAttrs &window, TensorType input) {
  if (window.modes.isSame())
    return true;
  // With stride 1, there is no fraction to round.
  if (!dropsWindowInEndPadding(window.modes.rounding) &&
      isAll(window.strides, 1))
    return true;
  if (!input.hasRank())
    return false;
  WindowModes floor = window.modes;
  floor.rounding = RoundingType::Floor;
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    int64_t extent = input.getDimSize(window.getSpatialDim(i));
    if (ShapedType::isDynamic(extent))
      return false;
    RuleOr<ResolvedDim> dim =
        resolveDim(extent, window.getDim(i), window.modes);
    RuleOr<ResolvedDim> floorDim = resolveDim(extent, window.getDim(i), floor);
    if (!dim || !floorDim || dim->output != floorDim->output ||
        dim->overhang != 0)
      return false;
  }
  return true;
}
