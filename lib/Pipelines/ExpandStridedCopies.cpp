// Rewrites the copies that upstream would lower to a call of its runtime
// library, so that compiled code needs only libc.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"

using namespace mlir;

/// True if upstream copies a buffer of this type as one block.
static bool isContiguous(MemRefType type) {
  return type.getLayout().isIdentity() ||
         memref::isStaticShapeAndContiguousRowMajor(type);
}

namespace mlir::pool {
#define GEN_PASS_DEF_EXPANDSTRIDEDCOPIES
#include "pool/Pipelines/Passes.h.inc"

namespace {

class ExpandStridedCopies
    : public impl::ExpandStridedCopiesBase<ExpandStridedCopies> {
public:
  using ExpandStridedCopiesBase::ExpandStridedCopiesBase;

protected:
  void runOnOperation() override {
    getOperation()->walk([](memref::CopyOp copy) {
      auto source = dyn_cast<MemRefType>(copy.getSource().getType());
      auto target = dyn_cast<MemRefType>(copy.getTarget().getType());
      if (!source || !target || (isContiguous(source) && isContiguous(target)))
        return;
      OpBuilder b(copy);
      linalg::makeMemRefCopyOp(b, copy.getLoc(), copy.getSource(),
                               copy.getTarget());
      copy.erase();
    });
  }
};

} // namespace
} // namespace mlir::pool
