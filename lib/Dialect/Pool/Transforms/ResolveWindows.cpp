// Replaces automatic padding and ceil rounding by explicit pads and rounding
// floor, if the outputs stay the same.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Transforms/Passes.h"

#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLRESOLVEWINDOWS
#include "pool/Dialect/Pool/Transforms/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

/// Computes explicit pads of every spatial dimension. A list in which all pads
/// are 0 stays empty. Fails if an extent is unknown or an overhang cannot
/// become a pad.
static LogicalResult resolvePads(WindowAttrsOpInterface op,
                                 SmallVectorImpl<int64_t> &padsBegin,
                                 SmallVectorImpl<int64_t> &padsEnd) {
  auto input = dyn_cast<RankedTensorType>(op.getWindowedType());
  if (!input)
    return failure();
  WindowAttrs window = op.getWindow();
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    int64_t extent = input.getDimSize(window.getSpatialDim(i));
    if (ShapedType::isDynamic(extent))
      return failure();
    std::optional<std::pair<int64_t, int64_t>> pads =
        getExplicitPads(*resolveDim(extent, window.getDim(i), window.modes),
                        op.distinguishesOverhang());
    if (!pads)
      return failure();
    padsBegin.push_back(pads->first);
    padsEnd.push_back(pads->second);
  }
  // Clear lists of zeros, because an empty list means no padding.
  for (SmallVectorImpl<int64_t> *pads : {&padsBegin, &padsEnd})
    if (isAll(*pads, 0))
      pads->clear();
  return success();
}

namespace {
struct PoolResolveWindowsPass
    : pool::impl::PoolResolveWindowsBase<PoolResolveWindowsPass> {
  void runOnOperation() override {
    getOperation()->walk([&](WindowAttrsOpInterface op) {
      const WindowModes modes = op.getWindow().modes;
      if (readsPads(modes.autoPad) && !roundsUp(modes.rounding))
        return;
      SmallVector<int64_t> padsBegin, padsEnd;
      if (succeeded(resolvePads(op, padsBegin, padsEnd))) {
        op.setExplicitPads(padsBegin, padsEnd);
        op.setFloorRounding();
        ++numResolved;
        return;
      }
      // Under `valid`, the pads are 0 for every extent, so explicit pads need
      // no known extents.
      if (!readsPads(modes.autoPad) && !modes.isSame()) {
        op.setExplicitPads({}, {});
        if (!roundsUp(modes.rounding))
          ++numResolved;
      }
    });
  }
};
} // namespace
