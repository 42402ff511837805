// The results of a reduction on tensors, each with what is computed of it
// element by element, on their way to buffers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SINK_FUSEDRESULTS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SINK_FUSEDRESULTS_H

#include "Sink/ElementwiseChain.h"

namespace mlir::pool {

struct FusedResults {
  /// Of `results` of one operation, chains that can be produced at once.
  explicit FusedResults(ValueRange results);

  /// What they can be produced after.
  Operation *getLastOp() const { return last; }
  /// Creates a buffer of `shape` for each, and those that they read.
  void allocate(RewriterBase &rewriter, Location loc,
                ArrayRef<OpFoldResult> shape);
  /// Replaces what the chains give by the contents of their buffers, and erases
  /// the buffer of what nothing uses, if something uses another.
  void replace(RewriterBase &rewriter, Location loc);

  SmallVector<ElementwiseChain> chains;
  SmallVector<Value> buffers;

private:
  Operation *last;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SINK_FUSEDRESULTS_H
