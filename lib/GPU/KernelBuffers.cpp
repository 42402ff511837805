// Prepares the buffers of kernels: a kernel cannot allocate, and only the first
// extent of a SPIR-V array may be unknown.
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

/// Appends upper bounds of `extent` that hold in every iteration of `loop`. A
/// bound is a constant or a value from outside `loop`.
static void appendBounds(DataFlowSolver &solver, scf::ParallelOp loop,
                         Value extent, SmallVectorImpl<OpFoldResult> &bounds) {
  // A bound near the maximum of a 32-bit type gives no information about the
  // extent.
  ConstantIntRanges range = getRange(solver, extent);
  if (range.smax().isNonNegative() && range.smax().isIntN(30))
    bounds.push_back(
        Builder(loop.getContext()).getIndexAttr(range.smax().getSExtValue()));
  if (loop.isDefinedOutsideOfLoop(extent)) {
    if (!range.getConstantValue())
      bounds.push_back(extent);
  } else if (auto least = extent.getDefiningOp<arith::MinSIOp>()) {
    for (Value operand : least->getOperands())
      appendBounds(solver, loop, operand, bounds);
  } else if (auto rest = extent.getDefiningOp<arith::SubIOp>();
             rest && getRange(solver, rest.getRhs()).smin().isNonNegative()) {
    appendBounds(solver, loop, rest.getLhs(), bounds);
  }
}

/// Returns an upper bound of `extent` that holds in every iteration, is known
/// before `loop`, and is not negative. It is the minimum of all bounds that are
/// found. Returns null if there is none.
static OpFoldResult getBound(RewriterBase &rewriter, DataFlowSolver &solver,
                             scf::ParallelOp loop, OpFoldResult extent) {
  auto value = dyn_cast<Value>(extent);
  if (!value)
    return extent;
  SmallVector<OpFoldResult> bounds;
  appendBounds(solver, loop, value, bounds);
  if (bounds.empty())
    return nullptr;
  std::optional<int64_t> constant;
  SetVector<Value> values;
  bool mayBeNegative = false;
  for (OpFoldResult bound : bounds) {
    if (std::optional<int64_t> number = getConstantIntValue(bound)) {
      constant = std::min(*number, constant.value_or(*number));
    } else {
      values.insert(cast<Value>(bound));
      mayBeNegative |= getRange(solver, cast<Value>(bound)).smin().isNegative();
    }
  }
  if (values.empty())
    return rewriter.getIndexAttr(*constant);
  Location loc = loop.getLoc();
  auto getIndex = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, number);
  };
  if (constant)
    values.insert(getIndex(*constant));
  Value bound = values.front();
  for (Value other : llvm::drop_begin(values))
    bound = arith::MinSIOp::create(rewriter, loc, bound, other);
  // A value may be negative without an error if the allocation never runs, for
  // example in an scf.if. So use 0 instead.
  if (mayBeNegative)
    bound = arith::MaxSIOp::create(rewriter, loc, bound, getIndex(0));
  return bound;
}

void pool::hoistAllocations(RewriterBase &rewriter, scf::ParallelOp loop,
                            ValueRange extents) {
  SmallVector<memref::AllocOp> allocs;
  loop.walk([&](memref::AllocOp alloc) {
    bool isPlain = llvm::all_of(alloc->getUses(), [](OpOperand &use) {
      if (auto store = dyn_cast<memref::StoreOp>(use.getOwner()))
        return use == store.getMemrefMutable();
      return isa<memref::LoadOp>(use.getOwner());
    });
    if (isPlain && !alloc.getType().getMemorySpace())
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
      sizes.push_back(getBound(rewriter, solver, loop, extent));
    if (!llvm::all_of(sizes, [](OpFoldResult size) { return bool(size); }))
      continue;
    Value buffer = memref::AllocOp::create(rewriter, alloc.getLoc(), sizes,
                                           alloc.getType().getElementType());
    for (OpOperand &use : llvm::make_early_inc_range(alloc->getUses())) {
      Operation *user = use.getOwner();
      unsigned number = use.getOperandNumber();
      user->setOperand(number, buffer);
      user->insertOperands(number + 1, position);
    }
    rewriter.eraseOp(alloc);
  }
}

//===----------------------------------------------------------------------===//
// Flat buffers
//===----------------------------------------------------------------------===//

/// True if SPIR-V has a type for buffers of `type`: only the extent of a rank-1
/// shape may be dynamic, and no stride or offset. Also true for layouts that
/// are not strided.
static bool hasSPIRVType(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  // pool-check-gpu-target rejects layouts that are not strided.
  if (failed(type.getStridesAndOffset(strides, offset)))
    return true;
  return (type.hasStaticShape() || type.getRank() < 2) &&
         !ShapedType::isDynamic(offset) && !ShapedType::isDynamicShape(strides);
}

/// Returns the buffer in whose memory `view` has its elements. The offset of
/// `view` counts from the beginning of that memory, not from the offset of the
/// view's source.
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
