// The results of a reduction on tensors, each with what is computed of it
// element by element, on their way to buffers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SINK_FUSEDRESULTS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SINK_FUSEDRESULTS_H

#include "Sink/ElementwiseChain.h"

namespace mlir::pool {

struct FusedResults {
  /// Makes a chain for each of `results`, which are of one operation. Ends
  /// chains early where this lets all of them be produced at once.
  explicit FusedResults(ValueRange results);

  /// Replaces the chains by pool.on_buffers. `emitLoops` loads from the buffer
  /// of `input`, which it receives, and stores to `buffers`. `outs` are the
  /// destinations of the operation. If only some results have users, stores of
  /// the others are erased.
  void replace(RewriterBase &rewriter, Location loc, Value input,
               ValueRange outs, bool needPackedOutputs,
               function_ref<void(Value input)> emitLoops);

  SmallVector<ElementwiseChain> chains;
  SmallVector<Value> buffers;

private:
  Operation *last;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SINK_FUSEDRESULTS_H
