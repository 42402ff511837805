// Converts tensors to buffers by upstream's bufferization. Adds copies where
// upstream treats a strided view as a packed buffer.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLBUFFERIZE
#include "pool/Pipelines/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

/// True if every buffer of `type` is row-major, without gaps and at offset 0.
/// The stride of a dimension of extent 1 does not matter, because it is only
/// multiplied by 0.
static bool isPacked(MemRefType type) {
  int64_t offset;
  SmallVector<int64_t> strides;
  if (type.getLayout().isIdentity())
    return true;
  if (failed(type.getStridesAndOffset(strides, offset)) || offset != 0)
    return false;
  int64_t packed = 1;
  for (auto [extent, stride] :
       llvm::reverse(llvm::zip_equal(type.getShape(), strides))) {
    if (extent == 1)
      continue;
    // After an unknown extent, the packed stride is unknown.
    if (ShapedType::isDynamic(packed) || stride != packed)
      return false;
    packed = ShapedType::isDynamic(extent) ||
                     llvm::MulOverflow(packed, extent, packed)
                 ? ShapedType::kDynamic
                 : packed;
  }
  return true;
}

/// Allocates a buffer for upstream's bufferization. The strides of `type` may
/// be unknown; a memref.alloc of such a type takes them as operands and does
/// not lower. So this allocates a packed buffer and casts it to `type`.
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
  Value buffer =
      memref::AllocOp::create(b, loc, packed, extents, aligned).getResult();
  if (packed != type)
    buffer = memref::CastOp::create(b, loc, type, buffer).getResult();
  return buffer;
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
      extents.push_back(
          memref::DimOp::create(b, loc, cast.getSource(), dim).getResult());
  Value copy = allocate(b, loc, target, extents, alignment);
  memref::CopyOp::create(b, loc, cast.getSource(), copy);
  cast.replaceAllUsesWith(copy);
  cast.erase();
}

/// Removes buffers from the values that `loop` carries, if it hands each on as
/// it is. A tiled operation leaves such a loop, whose result is then the buffer
/// that the loop began with.
static void removeCarriedBuffers(scf::ForOp loop,
                                 const FrozenRewritePatternSet &patterns) {
  if (llvm::any_of(loop.getInitArgs().getTypes(), llvm::IsaPred<MemRefType>))
    (void)applyOpPatternsGreedily({loop.getOperation()}, patterns);
}

/// Erases a copy between two equal views of one buffer. Upstream leaves it
/// where a tile was computed in its place.
static void eraseIfCopyToItself(memref::CopyOp copy) {
  auto source = copy.getSource().getDefiningOp<memref::SubViewOp>();
  auto target = copy.getTarget().getDefiningOp<memref::SubViewOp>();
  if (source && target &&
      OperationEquivalence::isEquivalentTo(
          source, target, OperationEquivalence::IgnoreLocations))
    copy.erase();
}

namespace {
class PoolBufferize
    : public mlir::pool::impl::PoolBufferizeBase<PoolBufferize> {
public:
  using PoolBufferizeBase::PoolBufferizeBase;

protected:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    // Keep the casts that the input has: the author may write through them.
    // Bufferization does not replace operations on buffers, so an address
    // identifies an operation.
    DenseSet<Operation *> given;
    module.walk([&](memref::CastOp cast) { given.insert(cast); });

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

    RewritePatternSet set(&getContext());
    scf::ForOp::getCanonicalizationPatterns(set, &getContext());
    FrozenRewritePatternSet patterns(std::move(set));
    SmallVector<scf::ForOp> loops;
    module.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      removeCarriedBuffers(loop, patterns);
    module.walk(eraseIfCopyToItself);

    module.walk([&](memref::CastOp cast) {
      if (!given.contains(cast))
        copyUnlessPacked(cast, alignment);
    });
  }
};
} // namespace
