// Prepares the buffers of kernels. A kernel cannot allocate, and a SPIR-V array
// has no unknown extent but the first.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MapToGPU.h"

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Allocations
//===----------------------------------------------------------------------===//

static ConstantIntRanges getRange(DataFlowSolver &solver, Value value) {
  auto *range = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
  return range && !range->getValue().isUninitialized()
             ? range->getValue().getValue()
             : ConstantIntRanges::maxRange(64);
}

/// Returns a number that `extent` does not exceed in any iteration of `loop`,
/// or null.
static OpFoldResult getBound(DataFlowSolver &solver, scf::ParallelOp loop,
                             OpFoldResult extent) {
  auto value = dyn_cast<Value>(extent);
  if (!value || loop.isDefinedOutsideOfLoop(value))
    return extent;
  if (APInt most = getRange(solver, value).smax(); most.isIntN(31))
    return Builder(loop.getContext()).getIndexAttr(most.getSExtValue());
  if (auto least = value.getDefiningOp<arith::MinSIOp>())
    for (Value operand : least->getOperands())
      if (OpFoldResult bound = getBound(solver, loop, operand))
        return bound;
  auto rest = value.getDefiningOp<arith::SubIOp>();
  return rest && getRange(solver, rest.getRhs()).smin().isNonNegative()
             ? getBound(solver, loop, rest.getLhs())
             : nullptr;
}

void pool::hoistAllocations(RewriterBase &rewriter, scf::ParallelOp loop,
                            ValueRange extents) {
  SmallVector<memref::AllocOp> allocs;
  loop.walk([&](memref::AllocOp alloc) {
    if (llvm::all_of(alloc->getUsers(),
                     llvm::IsaPred<memref::LoadOp, memref::StoreOp>))
      allocs.push_back(alloc);
  });
  DataFlowSolver solver;
  dataflow::loadBaselineAnalyses(solver);
  solver.load<dataflow::IntegerRangeAnalysis>();
  if (allocs.empty() || failed(solver.initializeAndRun(
                            loop->getParentOfType<FunctionOpInterface>())))
    return;
  rewriter.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> position;
  for (auto [iv, lower, step] : llvm::zip_equal(
           loop.getInductionVars(), loop.getLowerBound(), loop.getStep())) {
    Value count =
        rewriter.createOrFold<arith::SubIOp>(loop.getLoc(), iv, lower);
    position.push_back(
        rewriter.createOrFold<arith::DivUIOp>(loop.getLoc(), count, step));
  }
  rewriter.setInsertionPoint(loop);
  for (memref::AllocOp alloc : allocs) {
    SmallVector<OpFoldResult> sizes = getAsOpFoldResult(extents);
    for (OpFoldResult extent : alloc.getMixedSizes())
      sizes.push_back(getBound(solver, loop, extent));
    if (!llvm::all_of(sizes, [](OpFoldResult size) { return bool(size); }))
      continue;
    MemRefType type = alloc.getType();
    Value buffer =
        memref::AllocOp::create(rewriter, alloc.getLoc(), sizes,
                                type.getElementType(), type.getMemorySpace());
    for (Operation *user : llvm::to_vector(alloc->getUsers())) {
      unsigned number = isa<memref::StoreOp>(user) ? 1 : 0;
      user->setOperand(number, buffer);
      user->insertOperands(number + 1, position);
    }
    rewriter.eraseOp(alloc);
  }
}

//===----------------------------------------------------------------------===//
// Flat buffers
//===----------------------------------------------------------------------===//

/// True if SPIR-V has a type for buffers of `type`: at most the first extent is
/// dynamic.
static bool hasSPIRVType(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  // pool-check-gpu-target rejects other layouts.
  if (failed(type.getStridesAndOffset(strides, offset)))
    return true;
  return (type.hasStaticShape() || type.getRank() < 2) &&
         !ShapedType::isDynamic(offset) && !ShapedType::isDynamicShape(strides);
}

/// Returns the buffer whose memory `view` addresses by its own offset and
/// strides. These count from the memory's start, not from the source's offset.
static Value getBase(Value view) {
  while (true) {
    if (auto cast = view.getDefiningOp<memref::ReinterpretCastOp>())
      view = cast.getSource();
    else if (auto data = view.getDefiningOp<memref::ExtractStridedMetadataOp>())
      view = data.getSource();
    else
      return view;
  }
}

LogicalResult pool::flattenBuffers(RewriterBase &rewriter,
                                   gpu::LaunchOp launch) {
  SmallVector<Operation *> users;
  launch.walk([&](Operation *op) {
    if (llvm::any_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>) &&
        !isa<ViewLikeOpInterface>(op))
      users.push_back(op);
  });
  DenseMap<Value, Value> flatBuffers;
  for (Operation *user : users) {
    auto load = dyn_cast<memref::LoadOp>(user);
    auto store = dyn_cast<memref::StoreOp>(user);
    Value buffer = load    ? load.getMemRef()
                   : store ? store.getMemRef()
                           : *llvm::find_if(user->getOperands(), [](Value v) {
                               return isa<MemRefType>(v.getType());
                             });
    auto type = cast<MemRefType>(buffer.getType());
    bool isInside = launch.getBody().isAncestor(buffer.getParentRegion());
    if (!isInside && hasSPIRVType(type))
      continue;
    if (!load && !store)
      return user->emitError("a kernel for SPIR-V only loads from and stores "
                             "to buffers of dynamic shape, and views");
    auto view = buffer.getDefiningOp<memref::ReinterpretCastOp>();
    if (!isInside && type.getLayout().isIdentity())
      view = nullptr;
    Value base = view ? getBase(view) : buffer;
    auto baseType = cast<MemRefType>(base.getType());
    if (launch.getBody().isAncestor(base.getParentRegion()) ||
        !baseType.getLayout().isIdentity() || baseType.getRank() == 0)
      return user->emitError("a kernel for SPIR-V takes no buffer of dynamic "
                             "shape or strides but whole ones and their "
                             "slices: ")
             << baseType;
    Value &flat = flatBuffers[base];
    if (!flat) {
      rewriter.setInsertionPoint(launch);
      ReassociationIndices dims =
          llvm::to_vector(llvm::seq<int64_t>(0, baseType.getRank()));
      flat = dims.size() == 1 ? base
                              : memref::CollapseShapeOp::create(
                                    rewriter, launch.getLoc(), base,
                                    SmallVector<ReassociationIndices>{dims});
    }
    Location loc = launch.getLoc();
    OperandRange indices = load ? load.getIndices() : store.getIndices();
    Value position;
    if (view) {
      rewriter.setInsertionPoint(user);
      auto get = [&](OpFoldResult number) {
        return getValueOrCreateConstantIndexOp(rewriter, loc, number);
      };
      position = get(view.getMixedOffsets().front());
      for (auto [stride, index] :
           llvm::zip_equal(view.getMixedStrides(), indices)) {
        Value step =
            rewriter.createOrFold<arith::MulIOp>(loc, index, get(stride));
        position = rewriter.createOrFold<arith::AddIOp>(loc, position, step);
      }
    } else {
      rewriter.setInsertionPoint(launch);
      SmallVector<Value> extents = getValueOrCreateConstantIndexOp(
          rewriter, loc, memref::getMixedSizes(rewriter, loc, buffer));
      rewriter.setInsertionPoint(user);
      position = indices.front();
      for (auto [extent, index] :
           llvm::drop_begin(llvm::zip_equal(extents, indices))) {
        position = arith::MulIOp::create(rewriter, loc, position, extent);
        position = arith::AddIOp::create(rewriter, loc, position, index);
      }
    }
    if (load)
      rewriter.replaceOpWithNewOp<memref::LoadOp>(load, flat, position);
    else
      rewriter.replaceOpWithNewOp<memref::StoreOp>(
          store, store.getValueToStore(), flat, position);
  }
  return success();
}
