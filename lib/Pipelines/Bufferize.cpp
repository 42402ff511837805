// Converts tensors to buffers by upstream's bufferisation. Adds copies where
// upstream treats a strided view as a packed buffer.
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

/// Allocates a buffer for upstream's bufferisation: a packed buffer that is
/// cast to `type`, because a memref.alloc with unknown strides does not lower.
/// If a packed buffer cannot be cast to `type`, allocates `type` itself.
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

/// Replaces a cast to a type without a layout by a copy, unless the source of
/// the cast is packed. A type without a layout promises a packed buffer.
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

/// Removes a buffer from the values that a loop carries if each iteration
/// yields the buffer unchanged. Tiling and scatters leave such loops. The
/// initial buffer then replaces the result of the loop. In the same way,
/// removes a result of scf.if for which both branches yield one buffer.
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
  // Rewrite all in one call: rewriting one operation may erase another.
  (void)applyOpPatternsGreedily(
      ops, std::move(patterns),
      GreedyRewriteConfig().setStrictness(
          GreedyRewriteStrictness::ExistingAndNewOps));
}

/// Erases a copy between two equal views of one buffer. Upstream leaves such a
/// copy if a tile is computed in place.
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
    // Keep the casts that the input module has: its author may write through
    // them. Mark them by an attribute and not by their addresses, because a new
    // cast may get the address of an erased one.
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
