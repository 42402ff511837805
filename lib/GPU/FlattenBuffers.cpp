// Flattens the buffers of a kernel, because a SPIR-V array has no unknown
// extent but the first.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FlattenBuffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::pool;

LogicalResult pool::flattenBuffers(RewriterBase &rewriter,
                                   gpu::LaunchOp launch) {
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(launch.getBody(), captured);
  for (Value buffer : captured) {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    if (!type || type.hasStaticShape() || type.getRank() < 2)
      continue;
    Location loc = launch.getLoc();
    if (!type.getLayout().isIdentity())
      return emitError(loc) << "a kernel for SPIR-V takes no buffer of dynamic "
                               "shape with gaps: "
                            << type;
    rewriter.setInsertionPoint(launch);
    ReassociationIndices dims =
        llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
    Value flat = memref::CollapseShapeOp::create(
        rewriter, loc, buffer, SmallVector<ReassociationIndices>{dims});
    SmallVector<Value> extents = getValueOrCreateConstantIndexOp(
        rewriter, loc, memref::getMixedSizes(rewriter, loc, buffer));
    for (OpOperand &use : llvm::make_early_inc_range(buffer.getUses())) {
      Operation *user = use.getOwner();
      if (!launch->isProperAncestor(user))
        continue;
      auto load = dyn_cast<memref::LoadOp>(user);
      auto store = dyn_cast<memref::StoreOp>(user);
      if (!load && !store)
        return user->emitError("a kernel for SPIR-V only loads from and stores "
                               "to buffers of dynamic shape");
      rewriter.setInsertionPoint(user);
      OperandRange indices = load ? load.getIndices() : store.getIndices();
      Value position = indices.front();
      for (auto [extent, index] :
           llvm::drop_begin(llvm::zip_equal(extents, indices))) {
        position = arith::MulIOp::create(rewriter, loc, position, extent);
        position = arith::AddIOp::create(rewriter, loc, position, index);
      }
      if (load)
        rewriter.replaceOpWithNewOp<memref::LoadOp>(load, flat, position);
      else
        rewriter.replaceOpWithNewOp<memref::StoreOp>(
            store, store.getValueToStore(), flat, position);
    }
  }
  return success();
}
