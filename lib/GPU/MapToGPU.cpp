// Converts parallel loops on buffers to kernels. Upstream's passes tile loops
// and map them, but silently leave on the host what they do not map. Here, each
// iteration becomes a thread, or a subgroup of threads if it contains shuffles.
// This needs neither tiles nor a mapping.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MapToGPU.h"

#include "mlir/Analysis/AliasAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "mlir/Transforms/RegionUtils.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/GPU/Passes.h"
#include "pool/Pipelines/Passes.h"
#include "pool/Target/ResolveTarget.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::pool {
#define GEN_PASS_DEF_POOLMAPTOGPU
#include "pool/GPU/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

/// Number of blocks that every Vulkan device supports in each dimension of a
/// grid.
static constexpr int64_t maxBlocksPerDim = 65535;

//===----------------------------------------------------------------------===//
// Before the kernels: element types, order
//===----------------------------------------------------------------------===//

/// Makes all integer types of `module` signless, because kernels compute only
/// with signless integers.
static void stripSignedness(Operation *module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [](IntegerType type) -> Type { return getSignless(type); });
  replacer.addReplacement([](DenseIntElementsAttr elements) -> Attribute {
    return elements.bitcast(getSignless(elements.getElementType()));
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  module->walk([](UnrealizedConversionCastOp cast) {
    if (cast->getOperandTypes() != cast->getResultTypes())
      return;
    cast->replaceAllUsesWith(cast->getOperands());
    cast->erase();
  });
}

/// True if `op` may run earlier in its block: if it is an allocation, or if it
/// accesses no memory and cannot trap.
static bool isHoistable(Operation &op) {
  return isa<memref::AllocOp>(op) || (op.getNumRegions() == 0 && isPure(&op));
}

/// Moves allocations and arithmetic of `block` before its first operation of
/// another kind, so that loops become neighbors. Leaves an operation in place
/// if its operands are not available there.
static void hoist(Block &block) {
  Operation *first = nullptr;
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    if (!first) {
      if (!isHoistable(op))
        first = &op;
      continue;
    }
    if (isHoistable(op) && llvm::all_of(op.getOperands(), [&](Value operand) {
          Operation *producer = operand.getDefiningOp();
          return !producer || producer->getBlock() != &block ||
                 producer->isBeforeInBlock(first);
        }))
      op.moveBefore(first);
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

namespace {
/// One dimension of a loop nest: its number of iterations, first index and
/// step.
struct Dim {
  Value extent, lower, step;
};

struct PoolMapToGPUPass : pool::impl::PoolMapToGPUBase<PoolMapToGPUPass> {
  using PoolMapToGPUBase::PoolMapToGPUBase;

  LogicalResult initialize(MLIRContext *context) override {
    return checkBlock(block, context);
  }

  void runOnOperation() override {
    WalkResult nested = getOperation().getBody()->walk([](ModuleOp module) {
      module.emitError("functions of a nested module would stay on the host: "
                       "run the pass on this module alone");
      return WalkResult::interrupt();
    });
    if (nested.wasInterrupted())
      return signalPassFailure();
    stripSignedness(getOperation());
    for (auto func : getOperation().getOps<FunctionOpInterface>())
      if (!func.isExternal() && failed(mapFunction(func)))
        return signalPassFailure();
  }

private:
  LogicalResult mapFunction(FunctionOpInterface func);
  LogicalResult createKernel(RewriterBase &rewriter, scf::ParallelOp loop);
};
} // namespace

/// True if `op` reads or writes elements of a buffer and is not an operation of
/// the gpu dialect.
static bool isHostAccess(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || isa<gpu::GPUDialect>(op->getDialect()))
    return false;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    SmallVector<MemoryEffects::EffectInstance> found;
    effects.getEffectsOnValue(operand, found);
    return isa<BaseMemRefType>(operand.getType()) &&
           llvm::any_of(found, [](auto &effect) {
             return isa<MemoryEffects::Read, MemoryEffects::Write>(
                 effect.getEffect());
           });
  });
}

/// Emits an error and fails if `func` contains a loop or an access to a buffer
/// that would stay on the host.
static LogicalResult verifyNothingOnHost(Operation *func) {
  WalkResult result = func->walk<WalkOrder::PreOrder>([](Operation *op) {
    if (isa<scf::ParallelOp>(op))
      return WalkResult::skip();
    if (isa<scf::ForOp, scf::WhileOp, scf::ForallOp, affine::AffineForOp,
            affine::AffineParallelOp>(op)) {
      op->emitError("this loop would stay on the host: make it an "
                    "'scf.parallel' loop without results, whose iterations "
                    "are independent");
      return WalkResult::interrupt();
    }
    if (isa<gpu::LaunchOp>(op))
      return WalkResult::skip();
    if (isHostAccess(op)) {
      op->emitError("this access would stay on the host, but its buffer is on "
                    "the device: put it into an 'scf.parallel' loop");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Moves `ops`, which are neighbors, into a new parallel loop of one iteration.
static void wrapInOneIteration(RewriterBase &rewriter,
                               ArrayRef<Operation *> ops) {
  rewriter.setInsertionPoint(ops.front());
  Location loc = ops.front()->getLoc();
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  auto loop = scf::ParallelOp::create(rewriter, loc, zero, one, one);
  for (Operation *op : ops)
    rewriter.moveOpBefore(op, loop.getBody()->getTerminator());
}

/// Moves each sequence of serial operations that access buffers into a parallel
/// loop of one iteration. Canonicalization leaves such sequences for results of
/// one element. Leaves a sequence where it is if its values are used after it.
static void wrapSingles(RewriterBase &rewriter, Block &block) {
  auto isSerial = [](Operation &op) {
    return !op.hasTrait<OpTrait::IsTerminator>() &&
           !op.walk([](Operation *nested) {
                return isa<scf::ParallelOp, scf::WhileOp, memref::AllocOp,
                           CallOpInterface, gpu::LaunchOp>(nested)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              }).wasInterrupted() &&
           (isa<memref::LoadOp, memref::StoreOp, scf::ForOp, scf::IfOp>(op) ||
            (op.getNumRegions() == 0 && isPure(&op)));
  };
  for (auto it = block.begin(); it != block.end();) {
    Operation *first = &*it++;
    if (!isa<memref::LoadOp, memref::StoreOp, scf::ForOp>(first) ||
        !isSerial(*first))
      continue;
    SetVector<Operation *> run;
    run.insert(first);
    for (; it != block.end() && isSerial(*it); ++it)
      run.insert(&*it);
    bool isUsed = llvm::any_of(run, [&](Operation *op) {
      return llvm::any_of(op->getUsers(), [&](Operation *user) {
        return !run.contains(block.findAncestorOpInBlock(*user));
      });
    });
    if (!isUsed)
      wrapInOneIteration(rewriter, run.getArrayRef());
  }
}

/// Renames kernels whose names PTX does not allow. For such a name, LLVM would
/// end the process.
static void renameKernels(FunctionOpInterface func) {
  func->walk([&](gpu::LaunchOp launch) {
    std::string name = (func.getName() + "_kernel").str();
    if (std::optional<StringRef> given = launch.getFunction())
      name = given->str();
    std::string valid = llvm::isDigit(name.front()) ? "_" + name : name;
    for (char &c : valid)
      if (!llvm::isAlnum(c))
        c = '_';
    if (valid != name)
      launch.setFunctionAttr(FlatSymbolRefAttr::get(func.getContext(), valid));
  });
}

LogicalResult PoolMapToGPUPass::mapFunction(FunctionOpInterface func) {
  IRRewriter rewriter(func.getContext());
  SmallVector<memref::CopyOp> copies;
  SmallVector<scf::ForOp> nests;
  func->walk([&](memref::CopyOp copy) {
    if (!copy->getParentOfType<gpu::LaunchOp>() &&
        llvm::all_of(copy->getOperandTypes(), llvm::IsaPred<MemRefType>))
      copies.push_back(copy);
  });
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<gpu::LaunchOp>(op))
      return WalkResult::skip();
    auto loop = dyn_cast<scf::ForOp>(op);
    bool isSerial =
        loop && loop.getNumResults() == 0 &&
        !loop->walk([](scf::ParallelOp) { return WalkResult::interrupt(); })
             .wasInterrupted();
    if (isSerial)
      nests.push_back(loop);
    return isSerial || isa<scf::ParallelOp>(op) ? WalkResult::skip()
                                                : WalkResult::advance();
  });
  for (memref::CopyOp copy : copies) {
    auto loop = copy->getParentOfType<LoopLikeOpInterface>();
    auto type = cast<MemRefType>(copy.getTarget().getType());
    if (type.getRank() == 0 && !loop)
      wrapInOneIteration(rewriter, {copy});
    expandCopy(copy, /*parallel=*/!loop);
    // Move memref.dim out of the loops, because it cannot be converted to
    // SPIR-V.
    for (; loop; loop = loop->getParentOfType<LoopLikeOpInterface>())
      moveLoopInvariantCode(loop);
  }
  for (scf::ForOp nest : nests) {
    Location loc = nest.getLoc();
    wrapInOneIteration(rewriter, {nest});
    emitWarning(loc) << "these loops run in one thread, because they are not "
                        "parallel";
  }
  for (Block &block : func.getFunctionBody()) {
    hoist(block);
    wrapSingles(rewriter, block);
  }
  if (failed(verifyNothingOnHost(func)))
    return failure();
  auto &aliases = getChildAnalysis<AliasAnalysis>(func);
  numBuffersRemoved += fuseLoops(func.getFunctionBody(), aliases);
  SmallVector<scf::ParallelOp> loops;
  func->walk<WalkOrder::PreOrder>([&](scf::ParallelOp loop) {
    loops.push_back(loop);
    return WalkResult::skip();
  });
  for (scf::ParallelOp loop : loops)
    if (failed(createKernel(rewriter, loop)))
      return failure();
  // Remove operations on the host that only computed lanes and constants,
  // because kernels now have their own.
  (void)runRegionDCE(rewriter, func->getRegions());
  renameKernels(func);
  return success();
}

/// Creates `n / d`, rounded up. Requires n >= 0 and d >= 1. Does not use
/// arith.ceildivui, which cannot be converted to SPIR-V.
static Value createCeilDiv(OpBuilder &b, Location loc, Value n, Value d) {
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value rest = b.createOrFold<arith::SubIOp>(loc, d, one);
  Value sum = b.createOrFold<arith::AddIOp>(loc, n, rest);
  return b.createOrFold<arith::DivUIOp>(loc, sum, d);
}

/// Creates the number of iterations of a loop from `dim.lower` to `upper`,
/// which is not included, with step `dim.step`. The number is 0 for an empty
/// range. Does not read `dim.extent`.
static Value createExtent(OpBuilder &b, Location loc, const Dim &dim,
                          Value upper) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  if (matchPattern(dim.lower, m_Zero()) && matchPattern(dim.step, m_One())) {
    bool isExtent = getConstantIntValue(upper).value_or(-1) >= 0 ||
                    upper.getDefiningOp<memref::DimOp>();
    return isExtent ? upper : b.createOrFold<arith::MaxSIOp>(loc, upper, zero);
  }
  Value length = b.createOrFold<arith::SubIOp>(loc, upper, dim.lower);
  length = b.createOrFold<arith::MaxSIOp>(loc, length, zero);
  return createCeilDiv(b, loc, length, dim.step);
}

/// Returns the number of threads that execute an iteration of `loop` together.
/// This is the width of the shuffles in it, or 1 if it has no shuffles. Emits
/// an error and fails if the widths differ, if a width is not constant, or if
/// `block` is not a multiple of the width.
static FailureOr<int64_t> getSubgroupWidth(scf::ParallelOp loop,
                                           int64_t block) {
  int64_t width = 1;
  WalkResult result = loop.walk([&](gpu::ShuffleOp shuffle) {
    int64_t own = getConstantIntValue(shuffle.getWidth()).value_or(0);
    if (own < 1 || (width != 1 && own != width)) {
      shuffle.emitError("all shuffles of a kernel must have one known width");
      return WalkResult::interrupt();
    }
    if (block % own != 0) {
      shuffle.emitError("block=")
          << block << " is not a multiple of the " << own
          << " threads of a subgroup: let it be one, or give the pooling the "
             "plan #pool.plan<\"gpu-output\">";
      return WalkResult::interrupt();
    }
    width = own;
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return width;
}

/// Computes the lane of each thread of `launch` in its subgroup of `width`
/// threads. Lets only the first thread of each subgroup store.
static void createLanes(RewriterBase &rewriter, gpu::LaunchOp launch,
                        int64_t width) {
  SmallVector<gpu::LaneIdOp> lanes;
  SmallVector<memref::StoreOp> stores;
  launch.walk([&](gpu::LaneIdOp op) { lanes.push_back(op); });
  launch.walk([&](memref::StoreOp op) { stores.push_back(op); });
  Location loc = launch.getLoc();
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  Value count = arith::ConstantIndexOp::create(rewriter, loc, width);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value lane =
      arith::RemUIOp::create(rewriter, loc, launch.getThreadIds().x, count);
  Value isFirst = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                        lane, zero);
  for (gpu::LaneIdOp op : lanes)
    rewriter.replaceOp(op, lane);
  for (memref::StoreOp store : stores) {
    rewriter.setInsertionPoint(store);
    auto guarded = scf::IfOp::create(rewriter, store.getLoc(), isFirst);
    rewriter.moveOpBefore(store, guarded.thenBlock()->getTerminator());
  }
}

LogicalResult PoolMapToGPUPass::createKernel(RewriterBase &rewriter,
                                             scf::ParallelOp loop) {
  Location loc = loop.getLoc();
  if (loop.getNumReductions() != 0)
    return loop.emitError("this loop would stay on the host: a reduction over "
                          "parallel iterations has no kernel; reduce in a "
                          "serial loop inside of a parallel one");
  FailureOr<int64_t> width = getSubgroupWidth(loop, block);
  if (failed(width))
    return failure();
  // One thread executes each inner loop, so make inner loops serial.
  SmallVector<scf::ParallelOp> inner;
  loop.getBody()->walk<WalkOrder::PostOrder>(
      [&](scf::ParallelOp nested) { inner.push_back(nested); });
  for (scf::ParallelOp nested : inner)
    if (failed(scf::parallelForToNestedFors(rewriter, nested)))
      return nested.emitError("a reduction over parallel iterations within a "
                              "kernel: use a serial loop");

  rewriter.setInsertionPoint(loop);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  SmallVector<Dim> dims;
  SmallVector<Value> extents;
  Value total;
  for (auto [lower, upper, step] : llvm::zip_equal(
           loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    Dim dim{nullptr, lower, step};
    dim.extent = createExtent(rewriter, loc, dim, upper);
    dims.push_back(dim);
    extents.push_back(dim.extent);
    total = total ? rewriter.createOrFold<arith::MulIOp>(loc, total, dim.extent)
                  : dim.extent;
  }
  if (*width == 1)
    hoistAllocations(rewriter, loop, extents);
  WalkResult refused = loop.walk([](Operation *op) {
    if (isa<memref::AllocOp, memref::AllocaOp>(op))
      op->emitError("a kernel cannot allocate: move this out of the loop, or "
                    "let the loop store into a buffer outside of it");
    else if (isa<CallOpInterface>(op))
      op->emitError("a kernel cannot call functions of the host: inline this");
    else
      return WalkResult::advance();
    return WalkResult::interrupt();
  });
  if (refused.wasInterrupted())
    return failure();
  rewriter.setInsertionPoint(loop);
  // Number of iterations that a block executes.
  Value iterations = index(block / *width), one = index(1);
  Value threads = index(block);
  Value blocks = rewriter.createOrFold<arith::MaxSIOp>(
      loc, createCeilDiv(rewriter, loc, total, iterations), one);
  // Blocks that exceed the limit of dimension x continue in y, and then in z.
  SmallVector<Value, 3> grid;
  Value limit = index(maxBlocksPerDim);
  while (grid.size() < 3) {
    grid.push_back(rewriter.createOrFold<arith::MinSIOp>(loc, blocks, limit));
    blocks = createCeilDiv(rewriter, loc, blocks, grid.back());
  }
  if (getConstantIntValue(blocks).value_or(1) != 1)
    return loop.emitError("this loop has more iterations than a grid of 65535 "
                          "by 65535 by 65535 blocks has threads");
  auto launch = gpu::LaunchOp::create(rewriter, loc, grid[0], grid[1], grid[2],
                                      threads, one, one);
  rewriter.setInsertionPointToStart(&launch.getBody().front());
  // If the grid continues in a dimension, the dimension before it has `limit`
  // blocks.
  gpu::KernelDim3 ids = launch.getBlockIds();
  Value id, blockIds[] = {ids.x, ids.y, ids.z};
  for (int d = 2; d >= 0; --d) {
    if (id) {
      id = arith::MulIOp::create(rewriter, loc, id, limit);
      id = arith::AddIOp::create(rewriter, loc, id, blockIds[d]);
    } else if (d == 0 || !matchPattern(grid[d], m_One())) {
      id = blockIds[d];
    }
  }
  id = arith::MulIOp::create(rewriter, loc, id, iterations);
  Value iteration = launch.getThreadIds().x;
  if (*width > 1)
    iteration = arith::DivUIOp::create(rewriter, loc, iteration, index(*width));
  id = arith::AddIOp::create(rewriter, loc, id, iteration);
  Value inside = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult,
                                       id, total);
  auto guarded = scf::IfOp::create(rewriter, loc, inside);
  gpu::TerminatorOp::create(rewriter, loc);
  rewriter.setInsertionPointToStart(guarded.thenBlock());

  SmallVector<Value> position(dims.size());
  for (size_t d = dims.size(); d-- > 0;) {
    Dim dim = dims[d];
    Value count = id;
    if (d > 0) {
      count = rewriter.createOrFold<arith::RemUIOp>(loc, id, dim.extent);
      id = rewriter.createOrFold<arith::DivUIOp>(loc, id, dim.extent);
    }
    if (!matchPattern(dim.step, m_One()))
      count = arith::MulIOp::create(rewriter, loc, count, dim.step);
    if (!matchPattern(dim.lower, m_Zero()))
      count = arith::AddIOp::create(rewriter, loc, count, dim.lower);
    position[d] = count;
  }
  rewriter.eraseOp(loop.getBody()->getTerminator());
  rewriter.inlineBlockBefore(loop.getBody(),
                             guarded.thenBlock()->getTerminator(), position);
  rewriter.eraseOp(loop);
  if (flatten && failed(flattenBuffers(rewriter, launch)))
    return failure();
  // Clone arithmetic into the kernel. Otherwise each captured value would be an
  // argument of the kernel, which needs a buffer binding on Vulkan, and the
  // kernel would not see that a value is constant.
  sinkIntoLaunch(launch, [](Operation *op) {
    return isa_and_present<arith::ArithDialect>(op->getDialect()) ||
           isa<gpu::LaneIdOp>(op);
  });
  if (*width > 1)
    createLanes(rewriter, launch, *width);
  ++numKernels;
  return success();
}
