// How the positions of a plane gather from the windows that cover them, as
// vectors along its last dimension: which taps, from where, and in how many
// registers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_WINDOWSHAPE_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_WINDOWSHAPE_H

#include "mlir/Support/LLVM.h"
#include "pool/Support/WindowRules.h"
#include "llvm/Support/MathExtras.h"

#include <string>

namespace mlir::pool {

struct ScatterProblem;
struct Target;

/// A plane is the last two dimensions, or the last one if indices count within
/// it. Lanes are strides of its columns. Columns with the same remainder by the
/// stride form a class, and are lanes of one vector.
struct WindowShape {
  /// Fails, with the reason, where windows or extents are not for it.
  static FailureOr<WindowShape> get(const ScatterProblem &problem,
                                    std::string &reason);

  /// A tap that covers the columns of a class: column `stride * j + c` is tap
  /// `tap` of window `j + shift`.
  struct Tap {
    int64_t tap, shift;
  };

  ResolvedDim row, column;
  /// Dimensions of the target before the plane.
  int64_t numOuter = 0;
  /// Lanes of a vector of sums.
  int64_t length = 0;
  /// Bits of a distance from a window's first element, or of a tap.
  int64_t codeWidth = 32;
  /// The taps of each class, in the order of their windows.
  SmallVector<SmallVector<Tap>> classes;
  /// The first and last shift of all.
  int64_t firstShift = 0, lastShift = 0;

  /// Codes that are less than `largest`, which fits 32 bits.
  void setCodeWidth(const Target &target, int64_t largest);

  static int64_t getReach(const ResolvedDim &dim) {
    return (dim.kernel - 1) * dim.dilation;
  }
  /// From a tap of a window to its first element, in positions of the plane.
  int64_t getDistance(int64_t rowTap, int64_t columnTap) const {
    return rowTap * row.dilation * column.input + columnTap * column.dilation;
  }
  /// Rows of sums that a row of windows adds to, or passes.
  int64_t getNumSums() const { return std::max(getReach(row) + 1, row.stride); }
  /// Vectors of sums that the next row of windows adds to, too.
  int64_t getNumCarried() const {
    return (getNumSums() - row.stride) * column.stride;
  }
  /// Rows of windows, and of none, until each row of the plane is passed.
  int64_t getNumSteps() const {
    return llvm::divideCeil(row.input + row.padBegin, row.stride);
  }
  /// Vectors of the strides of a row of columns.
  int64_t getNumStrips() const {
    return llvm::divideCeil(column.input, column.stride * length);
  }
  int64_t getNumGathered() const { return getNumStrips() * length; }
  /// Parts of a row in the buffers, in whole vectors: windows that do not exist
  /// before the first one, written windows, and all that is read.
  int64_t getMargin() const { return llvm::alignTo(-firstShift, length); }
  int64_t getNumWritten() const { return llvm::alignTo(column.output, length); }
  int64_t getPitch() const;
  /// Returns the vectors [first, second) of windows that begin inside the row,
  /// and whose strides, with all elements that the last window reaches, end
  /// inside it.
  std::pair<int64_t, int64_t> getInnerVectors() const;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_WINDOWSHAPE_H
