// Codes of given indices: the distance from a window's first position to the
// position that its index names, in positions of the plane.
//
// In most planes, positions and distances fit 16 bits, and take half as long as
// elements on machines with mask registers. One check covers all windows: a
// distance belongs to a tap inside the plane if the remainder after whole rows
// of taps is within the window's columns.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXCODES_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXCODES_H

#include "Scatter/PlaneScatter.h"

namespace mlir::pool {

class IndexCodes : private PlaneScatter {
public:
  IndexCodes(const ScatterEmitter &emitter, const WindowShape &shape);

  /// Returns the code of a tap. A window that does not exist has kNone.
  int64_t getCode(int64_t rowTap, int64_t columnTap) const {
    return shape.getDistance(rowTap, columnTap);
  }
  /// Returns the values that the loops over the windows of the plane at `outer`
  /// carry: vectors that collect faults and positions.
  SmallVector<Value> beginPlane(ValueRange outer);
  /// The codes of a strip of row `r` of windows; updates what is carried.
  Value code(ValueRange outer, Value r, const WindowStrip &strip,
             SmallVector<Value> &carried);
  /// True if all indices of a plane are of their own windows.
  Value areRight(ValueRange carried);

private:
  /// Bits of an index that codes have not.
  bool hasHighBits() const { return indexWidth > shape.codeWidth; }
  /// Returns the positions in the plane of a strip's windows, and 0 for windows
  /// that do not exist. Unless `high` is null, adds to it all bits of
  /// positions.
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
  /// A vector of indices that fills a register.
  VectorType indexType;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_INDEXCODES_H
