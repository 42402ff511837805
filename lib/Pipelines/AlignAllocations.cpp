// Sets the alignment of buffers that were allocated without one.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::pool {
#define GEN_PASS_DEF_ALIGNALLOCATIONS
#include "pool/Pipelines/Passes.h.inc"

namespace {

struct AlignAllocations : impl::AlignAllocationsBase<AlignAllocations> {
  using AlignAllocationsBase::AlignAllocationsBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (llvm::isPowerOf2_64(alignment))
      return success();
    return emitError(UnknownLoc::get(context), "alignment is ")
           << alignment.getValue() << ", must be a power of two";
  }

  void runOnOperation() override {
    getOperation()->walk([&](memref::AllocOp op) {
      // Skip buffers of other element types, such as vectors, because they may
      // need a larger alignment.
      if (!op.getAlignment() &&
          op.getType().getElementType().isIntOrIndexOrFloat())
        op.setAlignment(alignment);
    });
  }
};

} // namespace
} // namespace mlir::pool
