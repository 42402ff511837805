// Converts tensors to buffers by upstream's one-shot bufferisation. Adds copies
// where upstream treats a strided view as a packed buffer, which is one without
// gaps.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Transforms/BufferizableOpInterfaceImpl.h"
#include "pool/Dialect/Pool/Utils/Promises.h"
#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLBUFFERIZE
#include "pool/Pipelines/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

/// Allocates a buffer of `type` for upstream's bufferisation. Allocates a
/// packed buffer and casts it to `type`, because a memref.alloc of unknown
/// strides cannot be lowered. If such a cast is impossible, allocates `type`
/// directly.
static Value allocate(OpBuilder &b, Location loc, MemRefType type,
                      ValueRange extents, uint64_t alignment) {
  IntegerAttr aligned;
  if (alignment != 0)
    aligned = b.getI64IntegerAttr(alignment);
  auto packed =
      MemRefType::get(type.getShape(), type.getElementType(),
                      MemRefLayoutAttrInterface(), type.getMemorySpace());
  if (!memref::CastOp::areCastCompatible(packed, type))
    packed = type;
  Value buffer = memref::AllocOp::create(b, loc, packed, extents, aligned);
  return packed == type ? buffer : memref::CastOp::create(b, loc, type, buffer);
}

/// Replaces `cast` by a copy if its result type has no layout and its source is
/// not known to be packed. The reason: a type without a layout promises a
/// packed buffer.
static void copyUnlessPacked(memref::CastOp cast, uint64_t alignment) {
  auto source = dyn_cast<MemRefType>(cast.getSource().getType());
  auto target = dyn_cast<MemRefType>(cast.getType());
  if (!source || !target || !target.getLayout().isIdentity() ||
      isPacked(source))
    return;
  OpBuilder b(cast);
  Location loc = cast.getLoc();
  SmallVector<Value> extents;
  for (int64_t dim = 0; dim < target.getRank(); ++dim)
    if (target.isDynamicDim(dim))
      extents.push_back(memref::DimOp::create(b, loc, cast.getSource(), dim));
  Value copy = allocate(b, loc, target, extents, alignment);
  memref::CopyOp::create(b, loc, cast.getSource(), copy);
  cast.replaceAllUsesWith(copy);
  cast.erase();
}

/// Removes buffers from the results of scf.for and scf.if:
/// - A loop may carry a buffer that each iteration yields unchanged, as loops
///   of tiling and scatters do. Then the initial buffer replaces the result.
/// - If both branches of an scf.if yield the same buffer, that buffer replaces
///   the result.
static void removeCarriedBuffers(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  scf::ForOp::getCanonicalizationPatterns(patterns, module.getContext());
  scf::IfOp::getCanonicalizationPatterns(patterns, module.getContext());
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<scf::ForOp, scf::IfOp>(op) &&
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<MemRefType>))
      ops.push_back(op);
  });
  // Rewrite all of them in one call, because rewriting one may erase others.
  (void)applyOpPatternsGreedily(
      ops, std::move(patterns),
      GreedyRewriteConfig().setStrictness(
          GreedyRewriteStrictness::ExistingAndNewOps));
}

/// Erases `copy` if its source and its target are the same view of the same
/// buffer. Upstream leaves such a copy if a tile was computed in place.
static void eraseIfCopyToItself(memref::CopyOp copy) {
  auto source = copy.getSource().getDefiningOp<memref::SubViewOp>();
  auto target = copy.getTarget().getDefiningOp<memref::SubViewOp>();
  if (source && target &&
      OperationEquivalence::isEquivalentTo(
          source, target, OperationEquivalence::IgnoreLocations))
    copy.erase();
}

namespace {
struct PoolBufferize : pool::impl::PoolBufferizeBase<PoolBufferize> {
  using PoolBufferizeBase::PoolBufferizeBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(requireModelsOnTensors<bufferization::BufferizableOpInterface>(
            module)))
      return signalPassFailure();
    // Keep the casts of the input module, because its author may write to a
    // buffer through them. Mark them with an attribute. A set of their
    // addresses would not do, because a new cast may get the address of an
    // erased one.
    auto given = StringAttr::get(&getContext(), "pool.given");
    module.walk([&](memref::CastOp cast) {
      cast->setAttr(given, UnitAttr::get(&getContext()));
    });

    bufferization::OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.setFunctionBoundaryTypeConversion(
        bufferization::LayoutMapOption::IdentityLayoutMap);
    options.allowReturnAllocsFromLoops = true;
    options.bufferAlignment = alignment;
    options.allocationFn = [](OpBuilder &b, Location loc, MemRefType type,
                              ValueRange extents, unsigned int aligned) {
      return allocate(b, loc, type, extents, aligned);
    };
    bufferization::BufferizationState state;
    if (failed(
            bufferization::runOneShotModuleBufferize(module, options, state)))
      return signalPassFailure();

    removeCarriedBuffers(module);
    module.walk(eraseIfCopyToItself);

    module.walk([&](memref::CastOp cast) {
      if (!cast->removeAttr(given))
        copyUnlessPacked(cast, alignment);
    });
  }
};
} // namespace
