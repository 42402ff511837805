// The gradient of a maximum whose windows overlap, read where others write:
// each position adds what the windows that cover it give, if they name it.
//
// A row of windows is compared with the taps of its windows strip by strip, and
// added to the rows that it covers. Codes of three neighbouring strips are in
// registers; elements are loaded where each tap needs them. Sums that further
// rows of windows add to wait in a buffer, where each is loaded from where it
// was stored.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_WINDOWGATHER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_WINDOWGATHER_H

#include "Scatter/IndexCodes.h"

namespace mlir::pool {

class IndexedScatter;

class WindowGather : private PlaneScatter {
public:
  /// Takes the buffers of an IndexedScatter for `emitter.problem`.
  WindowGather(const ScatterEmitter &emitter, const WindowShape &shape)
      : PlaneScatter(emitter, shape), codes(emitter, shape) {}

  /// Loops that write every position. Slices with an index that names none of
  /// its own window are then written by `anyIndices`.
  void create(IndexedScatter &anyIndices);

private:
  /// Codes of a strip and its neighbours; null where no window exists.
  struct Neighbours {
    Value before, here, after;
  };

  void allocateBuffers();
  /// True if all indices of the plane at `outer` are of their own windows.
  Value emitPlane(ValueRange outer);
  /// Strips of windows, and of strides of columns.
  int64_t getNumCoded() const;
  int64_t getNumGathered() const;
  WindowStrip getStrip(int64_t number);
  /// Strips that have all they need, and the next one too: [begin, end).
  std::pair<int64_t, int64_t> getInterior() const;

  /// Adds row `r` of windows, and stores the rows that it is the last to cover.
  void gatherRow(ValueRange outer, Value r, SmallVector<Value> &carried);
  /// Stores the rows of a step that no window begins in.
  void passRow(ValueRange outer, Value r);
  void gatherStrip(ValueRange outer, Value r, const WindowStrip &strip,
                   const Neighbours &codes);
  /// Adds to `sums`: a vector for each row that windows reach over and class of
  /// columns.
  void addStrip(ValueRange outer, Value r, const WindowStrip &strip,
                const Neighbours &codes, MutableArrayRef<Value> sums);
  /// Codes of the windows `shift` after the windows of the strip; null if none
  /// exists.
  Value getShifted(const Neighbours &codes, int64_t shift);
  /// The elements of these windows; null if none exists.
  Value loadElements(ValueRange outer, Value r, const WindowStrip &strip,
                     int64_t shift);

  IndexCodes codes;
  /// Sums for the next step.
  Value carriedSums;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_WINDOWGATHER_H
