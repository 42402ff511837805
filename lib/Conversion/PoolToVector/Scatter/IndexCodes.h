// Codes of indices that are given: how far the position that a window names is
// from its first one, in positions of the plane.
//
// Positions and distances fit 16 bits in most planes, and take half as long as
// elements where a comparison gives a mask. Whether a distance is that of a tap
// inside of the plane is asked of all windows together: what is left of it when
// whole rows of taps are taken away exceeds the window's columns nowhere.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXCODES_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXCODES_H

#include "Scatter/PlaneScatter.h"

namespace mlir::pool {

class IndexCodes : private PlaneScatter {
public:
  IndexCodes(const ScatterEmitter &emitter, const WindowShape &shape);

  /// The code of a tap; kNone is that of a window that does not exist.
  int64_t getCode(int64_t rowTap, int64_t columnTap) const {
    return shape.getDistance(rowTap, columnTap);
  }
  /// What the loops over the windows of the plane at `outer` carry: vectors of
  /// what their lanes have met.
  SmallVector<Value> beginPlane(ValueRange outer);
  /// The codes of a strip of row `r` of windows; updates what is carried.
  Value code(ValueRange outer, Value r, const WindowStrip &strip,
             SmallVector<Value> &carried);
  /// Whether all indices of a plane are of their own windows.
  Value areRight(ValueRange carried);

private:
  /// Bits of an index that codes have not.
  bool hasHighBits() const { return indexWidth > shape.codeWidth; }
  /// Positions in the plane of a strip's windows, 0 of those that do not exist.
  /// Adds to `high`, unless null, the bits that are set in any.
  Value loadPositions(ValueRange outer, Value r, Value first,
                      const ExistingLanes &lanes, Value &high);
  /// The least of `distance` with `step` taken away up to `numTaps` - 1 times,
  /// as unsigned.
  Value getRest(Value distance, int64_t numTaps, int64_t step);
  /// Not 0 in lanes whose window names what it does not have, unless that is a
  /// row outside of the plane; `distance` is from the first column of the
  /// window.
  Value getFaults(Value distance, const WindowStrip &strip,
                  const ExistingLanes &lanes);

  Value indices, planeBegin;
  int64_t indexWidth;
  /// Of as many indices as a register has.
  VectorType indexType;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXCODES_H
