// Temporary operations: built, inspected and erased again.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_SCRATCHOPS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_SCRATCHOPS_H

#include "mlir/IR/Builders.h"

namespace mlir::pool {

/// The operations built at the insertion point of a builder since construction.
class ScratchOps {
public:
  explicit ScratchOps(OpBuilder &b)
      : block(b.getInsertionBlock()), end(b.getInsertionPoint()),
        before(end == block->begin() ? nullptr : &*std::prev(end)) {}

  /// Erases it; nothing else uses it.
  void erase() {
    while (end != block->begin() && &*std::prev(end) != before)
      std::prev(end)->erase();
  }

private:
  Block *block;
  Block::iterator end;
  Operation *before;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_SCRATCHOPS_H
