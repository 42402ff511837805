// Gives kernels buffers on the device. Upstream's passes pass buffers of the
// host to kernels, which a device can read only if it shares its memory with
// the host.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MapToGPU.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "pool/GPU/Passes.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLDEVICEBUFFERS
#include "pool/GPU/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

static bool isInKernel(Operation *op) {
  return op->getParentOfType<gpu::LaunchOp>() != nullptr;
}

/// True if `user`, an operation in a kernel, only loads from a buffer or from
/// views of it.
static bool isOnlyLoaded(Operation *user) {
  return isa<memref::LoadOp>(user) ||
         (isa<ViewLikeOpInterface>(user) &&
          llvm::all_of(user->getUsers(), isOnlyLoaded));
}

namespace {
struct PoolDeviceBuffersPass
    : pool::impl::PoolDeviceBuffersBase<PoolDeviceBuffersPass> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    SetVector<Value> buffers;
    WalkResult result = func.walk([&](gpu::LaunchOp launch) -> WalkResult {
      if (launch->getBlock() != &func.getBody().front())
        return launch->emitError("host=true expects kernels outside of "
                                 "branches and loops of the host");
      // Clone views into the kernel, so that it captures whole buffers.
      sinkIntoLaunch(launch, llvm::IsaPred<ViewLikeOpInterface>);
      SetVector<Value> captured;
      getUsedValuesDefinedAbove(launch.getBody(), captured);
      for (Value value : captured)
        if (isa<MemRefType>(value.getType()))
          buffers.insert(value);
      return success();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (Value buffer : buffers)
      if (failed(moveToDevice(buffer)))
        return signalPassFailure();
  }

private:
  LogicalResult moveToDevice(Value buffer);
};
} // namespace

LogicalResult PoolDeviceBuffersPass::moveToDevice(Value buffer) {
  Block &body = getOperation().getBody().front();
  Operation *end = body.getTerminator();
  auto alloc = buffer.getDefiningOp<memref::AllocOp>();
  auto type = cast<MemRefType>(buffer.getType());
  Location loc = buffer.getLoc();
  bool isWhole = alloc || isa<BlockArgument>(buffer) ||
                 buffer.getDefiningOp<memref::GetGlobalOp>();
  if (!isWhole || !type.getLayout().isIdentity())
    return emitError(loc) << "host=true expects kernels to use whole buffers, "
                             "which can be copied to the device: "
                          << type;
  // The host must not read a buffer before the end, because only then is it
  // copied back. It may read extents anywhere.
  bool isStored = false, isReturned = false, isFreed = false;
  SmallVector<Operation *> users(buffer.getUsers());
  while (!users.empty()) {
    Operation *user = users.pop_back_val();
    if (isInKernel(user))
      isStored |= !isOnlyLoaded(user);
    else if (auto layout = dyn_cast<memref::ExtractStridedMetadataOp>(user))
      llvm::append_range(users, layout.getBaseBuffer().getUsers());
    else if (isa<ViewLikeOpInterface>(user))
      llvm::append_range(users, user->getUsers());
    else if (isa<func::ReturnOp>(user))
      isReturned = true;
    else if (isa<memref::DeallocOp>(user))
      isFreed = true;
    else if (!isa<memref::DimOp, gpu::MemcpyOp>(user) &&
             !isOpTriviallyDead(user))
      return user->emitError("host=true expects buffers of kernels to be used "
                             "by kernels alone, and returned");
  }

  OpBuilder b(&getContext());
  b.setInsertionPointAfterValue(buffer);
  SmallVector<Value> sizes;
  if (alloc)
    sizes = llvm::to_vector(alloc.getDynamicSizes());
  else
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(memref::DimOp::create(b, loc, buffer, dim));
  Value device = gpu::AllocOp::create(b, loc, type, /*asyncToken=*/Type(),
                                      /*asyncDependencies=*/ValueRange(), sizes,
                                      /*symbolOperands=*/ValueRange())
                     .getMemref();
  if (!alloc)
    gpu::MemcpyOp::create(b, loc, /*asyncToken=*/Type(), ValueRange(), device,
                          buffer);
  buffer.replaceUsesWithIf(
      device, [&](OpOperand &use) { return isInKernel(use.getOwner()); });
  b.setInsertionPoint(end);
  if (isStored && !isFreed && (!alloc || isReturned))
    gpu::MemcpyOp::create(b, loc, /*asyncToken=*/Type(), ValueRange(), buffer,
                          device);
  gpu::DeallocOp::create(b, loc, /*asyncToken=*/Type(), ValueRange(), device);
  if (alloc && alloc->use_empty())
    alloc->erase();
  return success();
}
