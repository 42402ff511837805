// Decides which loops run on several threads. Small loops do not, because
// starting threads takes microseconds. In a loop nest, only the few outermost
// dimensions become parallel, because OpenMP computes the indices of all
// parallel dimensions in every iteration, by divisions.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "pool/Dialect/Pool/Utils/ElementBuilder.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::pool {
#define GEN_PASS_DEF_SELECTPARALLELLOOPS
#include "pool/Pipelines/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

/// Assumed trip count of a loop whose bounds are computed inside the parallel
/// loop. Most such loops are over the taps of windows at the border.
static constexpr int64_t kAssumedTripCount = 4;

/// Assumed trip count of a loop that carries vectors from one iteration to the
/// next. Most such loops are over the rows of a plane.
static constexpr int64_t kAssumedRows = 32;

/// No further dimension becomes parallel if the outermost ones have this number
/// of iterations (pieces). Numbers of several dimensions are multiplied.
static constexpr int64_t kEnoughPieces = 64;
/// The last dimension stays sequential if the other dimensions have this number
/// of pieces, as a product.
static constexpr int64_t kFewPieces = 8;

/// Assumed number of pieces of a dimension whose extent is unknown.
static constexpr int64_t kUnknownPieces = 4;

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// Returns the number of bytes of the elements in a value of `type`. Returns 0
/// for indices and conditions, because LLVM hoists most of them out of inner
/// loops.
static int64_t getNumBytes(Type type) {
  int64_t count = 1;
  if (auto vector = dyn_cast<VectorType>(type)) {
    count = vector.getNumElements();
    type = vector.getElementType();
  }
  if (!type.isIntOrFloat() || type.isInteger(1))
    return 0;
  return count * llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

/// Returns the number of bytes that `op` computes, loads or stores, without
/// operations in its regions. Returns 0 for constants.
static int64_t getNumBytes(Operation &op) {
  if (op.hasTrait<OpTrait::ConstantLike>())
    return 0;
  int64_t bytes = 0;
  for (Type type : op.getNumResults() ? TypeRange(op.getResultTypes())
                                      : TypeRange(op.getOperandTypes()))
    bytes += getNumBytes(type);
  return bytes;
}

namespace {
/// Estimates the number of bytes that a parallel loop computes. Emits the
/// arithmetic for this before the loop. It folds to a constant if all trip
/// counts are known.
class WorkEstimate {
public:
  explicit WorkEstimate(scf::ParallelOp loop)
      : loop(loop), b(OpBuilder(loop), loop.getLoc()) {}

  Value get() {
    Value work = getBlockWork(*loop.getBody());
    for (unsigned i = 0, e = loop.getNumLoops(); i < e; ++i)
      work =
          b.mul(work, getTripCount(loop.getLowerBound()[i],
                                   loop.getUpperBound()[i], loop.getStep()[i]));
    return work;
  }

  /// Returns the trip count of a loop with these bounds. Returns `assumed` if a
  /// bound or the step is computed inside the parallel loop.
  Value getTripCount(Value lower, Value upper, Value step,
                     int64_t assumed = kAssumedTripCount) {
    for (Value bound : {lower, upper, step})
      if (loop->isAncestor(bound.getParentBlock()->getParentOp()))
        return b.index(assumed);
    return b.index(b.fold<arith::CeilDivSIOp>(b.sub(upper, lower), step));
  }

private:
  Value getBlockWork(Block &block) {
    // Count at least one byte for each iteration.
    int64_t plain = 1;
    SmallVector<Value> nested;
    for (Operation &op : block.without_terminator()) {
      if (auto inner = dyn_cast<scf::ForOp>(op)) {
        bool carriesVectors = llvm::any_of(inner.getInitArgs().getTypes(),
                                           llvm::IsaPred<VectorType>);
        nested.push_back(b.mul(
            getBlockWork(*inner.getBody()),
            getTripCount(inner.getLowerBound(), inner.getUpperBound(),
                         inner.getStep(),
                         carriesVectors ? kAssumedRows : kAssumedTripCount)));
        continue;
      }
      plain += getNumBytes(op);
      for (Region &region : op.getRegions())
        for (Block &child : region)
          nested.push_back(getBlockWork(child));
    }
    Value work = b.index(plain);
    for (Value part : nested)
      work = b.add(work, part);
    return work;
  }

  scf::ParallelOp loop;
  ElementBuilder b;
};
} // namespace

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Clones the body of `loop` for one iteration with indices `ivs`. `carried`
/// are the values of the reductions before this iteration. Returns their values
/// after it.
static scf::ValueVector cloneBody(OpBuilder &b, scf::ParallelOp loop,
                                  ValueRange ivs, ValueRange carried) {
  IRMapping map;
  map.map(loop.getInductionVars(), ivs);
  for (Operation &op : loop.getBody()->without_terminator())
    b.clone(op, map);
  scf::ValueVector results;
  auto reduce = cast<scf::ReduceOp>(loop.getBody()->getTerminator());
  for (auto [operand, region, before] :
       llvm::zip_equal(reduce.getOperands(), reduce.getReductions(), carried)) {
    Block &block = region.front();
    map.map(block.getArgument(0), before);
    map.map(block.getArgument(1), map.lookupOrDefault(operand));
    for (Operation &op : block.without_terminator())
      b.clone(op, map);
    results.push_back(
        map.lookupOrDefault(block.getTerminator()->getOperand(0)));
  }
  return results;
}

/// Passes the index `iv` through an llvm.freeze, so that LLVM does not see how
/// it is computed. OpenMP computes the indices of a collapsed loop nest by
/// divisions. If LLVM's loop strength reduction sees such a division in an
/// address, LLVM does not hoist the division, and computes clamps and products
/// for the address in the innermost loop.
static Value hideDivision(OpBuilder &b, Location loc, Value iv) {
  Type wide = b.getI64Type();
  Value number = arith::IndexCastOp::create(b, loc, wide, iv);
  number = LLVM::FreezeOp::create(b, loc, number);
  return arith::IndexCastOp::create(b, loc, iv.getType(), number);
}

/// Builds a copy of `loop`. Its first `numParallel` dimensions are parallel,
/// the others are `scf.for`. If `loop` has reductions, `numParallel` must be 0.
/// Returns the results of the reductions.
static SmallVector<Value> buildLoops(OpBuilder &b, scf::ParallelOp loop,
                                     unsigned numParallel) {
  Location loc = loop.getLoc();
  OperandRange lower = loop.getLowerBound(), upper = loop.getUpperBound(),
               step = loop.getStep();
  auto buildInner = [&](OpBuilder &b, ValueRange outer) -> scf::ValueVector {
    if (numParallel == loop.getNumLoops())
      return cloneBody(b, loop, outer, {});
    return scf::buildLoopNest(b, loc, lower.drop_front(numParallel),
                              upper.drop_front(numParallel),
                              step.drop_front(numParallel), loop.getInitVals(),
                              [&](OpBuilder &b, Location, ValueRange inner,
                                  ValueRange carried) {
                                SmallVector<Value> ivs(outer);
                                llvm::append_range(ivs, inner);
                                return cloneBody(b, loop, ivs, carried);
                              })
        .results;
  };
  if (numParallel == 0)
    return buildInner(b, {});
  bool dividesByUnknown =
      llvm::any_of(upper.take_front(numParallel).drop_front(),
                   [](Value extent) { return !getConstantIntValue(extent); });
  scf::ParallelOp::create(b, loc, lower.take_front(numParallel),
                          upper.take_front(numParallel),
                          step.take_front(numParallel),
                          [&](OpBuilder &b, Location loc, ValueRange ivs) {
                            SmallVector<Value> numbers(ivs);
                            if (dividesByUnknown)
                              for (Value &number : numbers)
                                number = hideDivision(b, loc, number);
                            buildInner(b, numbers);
                          });
  return {};
}

static void makeSequential(scf::ParallelOp loop) {
  OpBuilder b(loop);
  loop->replaceAllUsesWith(buildLoops(b, loop, /*numParallel=*/0));
  loop->erase();
}

/// True if `loop` must stay on the calling thread. There are two reasons:
/// - The loop contains a check or a function call, which may fail. Only the
///   calling thread can end the call of compiled code with an error.
/// - The loop has a reduction, whose result would depend on the number of
///   threads.
static bool isForOneThread(scf::ParallelOp loop) {
  if (loop.getNumResults() != 0)
    return true;
  WalkResult result = loop.getBody()->walk([](Operation *op) {
    return WalkResult(failure(isa<cf::AssertOp, CallOpInterface>(op)));
  });
  return result.wasInterrupted();
}

/// True if the body of `loop` already computes vectors.
static bool isVectorized(scf::ParallelOp loop) {
  WalkResult result = loop.getBody()->walk([](Operation *op) {
    return WalkResult(success(
        llvm::none_of(op->getResultTypes(), llvm::IsaPred<VectorType>)));
  });
  return result.wasInterrupted();
}

/// Returns how many leading dimensions of `loop` become parallel: the fewest
/// whose trip counts have a product of at least kEnoughPieces. The last
/// dimension stays sequential in two cases:
/// - All other extents are known, and their product is at least kFewPieces.
/// - Another extent is unknown, and the loop does not compute vectors yet. LLVM
///   can then vectorize the last dimension.
static unsigned getNumParallel(scf::ParallelOp loop, WorkEstimate &work) {
  unsigned numLoops = loop.getNumLoops();
  bool isForLLVM = !isVectorized(loop);
  int64_t pieces = 1;
  bool isKnown = true;
  for (unsigned i = 0; i < numLoops; ++i) {
    bool isLast = i + 1 == numLoops;
    if (pieces >= kEnoughPieces ||
        (isLast && (isKnown ? pieces >= kFewPieces : isForLLVM)))
      return i;
    std::optional<int64_t> count = getConstantIntValue(work.getTripCount(
        loop.getLowerBound()[i], loop.getUpperBound()[i], loop.getStep()[i]));
    isKnown &= count.has_value();
    // Assume few pieces for an unknown extent, because a dimension may be
    // short: a batch may have one image, an image few channels.
    pieces *=
        std::clamp<int64_t>(count.value_or(kUnknownPieces), 1, kEnoughPieces);
  }
  return numLoops;
}

namespace {
struct SelectParallelLoops
    : pool::impl::SelectParallelLoopsBase<SelectParallelLoops> {
  using SelectParallelLoopsBase::SelectParallelLoopsBase;

  void runOnOperation() override {
    SmallVector<scf::ParallelOp> outer, inner;
    getOperation()->walk([&](scf::ParallelOp loop) {
      bool isInner = loop->getParentOfType<scf::ParallelOp>() ||
                     loop->getParentOfType<omp::ParallelOp>();
      (isInner ? inner : outer).push_back(loop);
    });
    // The walk is post-order, so each loop in `inner` comes before the loops
    // that contain it.
    llvm::for_each(inner, makeSequential);
    for (scf::ParallelOp loop : outer)
      select(loop);
  }

private:
  void select(scf::ParallelOp loop);
};
} // namespace

void SelectParallelLoops::select(scf::ParallelOp loop) {
  if (isForOneThread(loop)) {
    ++numSequential;
    return makeSequential(loop);
  }
  WorkEstimate estimate(loop);
  Value work = estimate.get();
  std::optional<int64_t> known = getConstantIntValue(work);
  if (known && *known < grain) {
    ++numSequential;
    return makeSequential(loop);
  }
  unsigned numParallel = getNumParallel(loop, estimate);
  ElementBuilder b(OpBuilder(loop), loop.getLoc());
  if (known) {
    ++numParallelLoops;
    buildLoops(b, loop, numParallel);
  } else {
    ++numDynamic;
    auto branch = [&](unsigned numParallel) {
      return [&, numParallel](OpBuilder &b, Location loc) {
        buildLoops(b, loop, numParallel);
        scf::YieldOp::create(b, loc);
      };
    };
    scf::IfOp::create(b, b.isAtLeast(work, int64_t(grain)), branch(numParallel),
                      branch(0));
  }
  loop->erase();
}
