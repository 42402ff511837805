// Adds fences, so that nontemporal stores are visible before later stores.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::pool {
#define GEN_PASS_DEF_FENCESTREAMEDSTORES
#include "pool/Pipelines/Passes.h.inc"

/// Returns the body of the innermost function or OpenMP parallel region around
/// `op`. Each thread that executes `op` executes this whole region.
static Region *getThreadRegion(Operation *op) {
  for (Region *region = op->getParentRegion();;
       region = op->getParentRegion()) {
    op = region->getParentOp();
    if (isa<LLVM::LLVMFuncOp, omp::ParallelOp>(op))
      return region;
  }
}

namespace {
struct FenceStreamedStores
    : impl::FenceStreamedStoresBase<FenceStreamedStores> {
  void runOnOperation() override {
    llvm::SetVector<Region *> regions;
    getOperation().walk([&](LLVM::StoreOp store) {
      if (store.getNontemporal())
        regions.insert(getThreadRegion(store));
    });
    for (Region *region : regions)
      for (Block &block : *region) {
        Operation *terminator = block.getTerminator();
        if (terminator->getNumSuccessors() != 0 ||
            isa<LLVM::UnreachableOp>(terminator))
          continue;
        OpBuilder b(terminator);
        LLVM::FenceOp::create(b, terminator->getLoc(),
                              LLVM::AtomicOrdering::seq_cst);
      }
  }
};

} // namespace
} // namespace mlir::pool
