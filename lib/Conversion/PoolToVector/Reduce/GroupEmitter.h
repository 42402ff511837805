// Groups of outputs that are emitted at once: their rows, stores that bypass
// the caches, and outputs whose argmax is computed again element by element.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_GROUPEMITTER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_GROUPEMITTER_H

#include "Reduce/WindowStrategy.h"

#include "pool/Dialect/Pool/Transforms/WindowLoops.h"

namespace mlir::pool {

/// Returns an alignment in bytes, at most a cache line. Elements of
/// `elementBytes` have it if they are a multiple of `distance` elements apart
/// in an aligned buffer. Returns 0 if non-temporal stores would be too short.
inline int64_t getStreamAlignment(const Problem &problem, int64_t distance,
                                  int64_t elementBytes) {
  int64_t all = problem.target.cacheLineBytes | distance * elementBytes;
  int64_t alignment = all & -all;
  return alignment >= cost::kMinStoreBytes &&
                 alignment <= problem.getLength() * elementBytes
             ? alignment
             : 0;
}
/// True if non-temporal stores of such vectors are long enough in all results.
inline bool canStream(const Problem &problem, int64_t distance) {
  return llvm::all_of(problem.resultBytes, [&](int64_t bytes) {
    return getStreamAlignment(problem, distance, bytes) != 0;
  });
}

/// Refuses an argmax within a group that has `numBits` for each dimension, if
/// they are more than 31.
inline LogicalResult checkArgmaxBits(const Problem &problem,
                                     ArrayRef<int64_t> numBits,
                                     std::string &reason) {
  if (!problem.reduction.hasPositions() || llvm::sum_of(numBits) < 31)
    return success();
  return refuse(reason, "an argmax within a group has more than 31 bits");
}

/// The state of code for groups of outputs.
class GroupEmitter {
public:
  explicit GroupEmitter(WindowKernel &kernel)
      : kernel(kernel), problem(kernel.problem), b(kernel.b),
        reduction(kernel.reduction), length(reduction.getLength()) {}

  WindowKernel &kernel;
  const Problem &problem;
  KernelBuilder &b;
  const LaneReduction &reduction;
  int64_t length;
  /// True if the last group is moved to the last rows. Sums of rows depend, in
  /// their last bits, on the place in the group: two groups, which may be on
  /// two threads, must not both store a row.
  bool movesLastGroup = false;
  /// True if a group may have rows that the output has not.
  bool mayLackRows = false;

protected:
  /// Cuts `rows` into groups of `numRows`.
  void setGroupRows(LoopDim &rows, int64_t numRows) {
    bool areWhole = rows.knownOutput.value_or(1) % numRows == 0;
    movesLastGroup = !areWhole && reduction.isIdempotent();
    mayLackRows = !areWhole && (!rows.knownOutput || !movesLastGroup);
    // Windows of rows that are not there are treated like padding.
    rows.coversPadding |= mayLackRows;
  }

  /// A parallel loop over the first `numDims` output dimensions. The last of
  /// these is the rows, if there are any, in groups of `numRows`. `body` takes
  /// output coordinates.
  void forEachGroup(unsigned numDims, const LoopDim &rows, int64_t numRows,
                    KernelBuilder::NestBody body) {
    SmallVector<Value> upper = kernel.getUpper(numDims);
    if (problem.hasRows())
      upper.back() = b.ceilDiv(b.max(rows.output, 0), numRows);
    b.forEachParallel(upper, [&](ValueRange outputs) {
      SmallVector<Value> coordinates(outputs);
      if (problem.hasRows())
        coordinates.back() = b.mul(coordinates.back(), numRows);
      if (movesLastGroup)
        coordinates.back() =
            b.moveBack(coordinates.back(), rows.output, numRows);
      if (movesLastGroup && mayLackRows)
        coordinates.back() = b.max(coordinates.back(), 0);
      body(coordinates);
    });
  }

  /// Calls `body`. If it `streams`, does so for non-temporal stores to elements
  /// that are a multiple of `distance` apart in a row, and for other stores.
  /// Tests which of them, if that is not known: buffers must be aligned, and
  /// too large for the caches.
  void emitStreaming(bool streams, int64_t distance,
                     function_ref<void()> body) {
    if (!streams)
      return body();
    // Elementwise consumers may have given buffers another type than the
    // planner knew.
    for (Value buffer : kernel.buffers)
      kernel.alignments.push_back(
          getStreamAlignment(problem, distance, getElementBytes(buffer)));
    if (llvm::is_contained(kernel.alignments, 0))
      kernel.alignments.clear();
    Value isPossible;
    auto require = [&](Value fits) { isPossible = b.both(isPossible, fits); };
    for (auto [buffer, alignment] :
         llvm::zip(kernel.buffers, kernel.alignments)) {
      require(isAlignedTo(b, buffer, alignment));
      Value rowBytes =
          b.mul(kernel.getOutputShape().back(), getElementBytes(buffer));
      require(b.isAtLeast(0, b.rem(rowBytes, alignment)));
    }
    if (!kernel.alignments.empty() && !problem.isLarge) {
      Value total = b.index(0);
      for (Value buffer : append(kernel.input, kernel.buffers)) {
        Value bytes = b.index(getElementBytes(buffer));
        total = b.add(total, b.product(append(bytes, b.getExtents(buffer))));
      }
      require(b.isAtLeast(total, problem.target.streamedBytes));
    }
    b.ifElse(isPossible, [&](bool inThen) {
      if (!inThen)
        kernel.alignments.clear();
      body();
    });
    // Plans for other extents may follow.
    kernel.alignments.clear();
  }

  /// Returns lanes of padding unless `isInside`, which is null if it is known.
  Value fillUnless(Value isInside, Value lanes) {
    return isInside ? b.select(isInside, lanes, reduction.getFill(b)) : lanes;
  }

  /// Notes the outputs in `existing` lanes that recompute() is for.
  void markLanesWithoutMaximum(Accumulator lanes, const LaneRange &existing) {
    Value unknown = reduction.getNeedsRecomputing(b, lanes.value);
    // Lanes that do not exist may be poison, which a selection leaves out.
    if (unknown)
      unknown =
          selectRange(b, existing, unknown,
                      b.constant(cast<VectorType>(unknown.getType()), false));
    needsRecomputing = b.bitOr(needsRecomputing, unknown);
  }

  /// Stores the outputs of a group again one by one, as the loops of elements
  /// do, if any is noted. The group has `sizes` outputs from `first` on.
  void recomputeMarkedLanes(ArrayRef<Value> first, ArrayRef<int64_t> sizes) {
    if (!needsRecomputing)
      return;
    Value any = vector::ReductionOp::create(b, vector::CombiningKind::OR,
                                            needsRecomputing);
    needsRecomputing = {};
    b.ifTrue(any, [&] {
      SmallVector<PositionRange> outputs;
      for (auto [begin, size, extent] :
           llvm::zip_equal(first, sizes, kernel.getOutputShape())) {
        Value end = b.add(begin, size);
        outputs.push_back({begin, size == 1 ? end : b.min(end, extent)});
      }
      SmallVector<OpFoldResult> shape =
          getAsOpFoldResult(kernel.getInputShape());
      b.forEachIn(outputs, {}, [&](ValueRange position) {
        ElementPlace element;
        element.coordinates = llvm::to_vector(position);
        for (auto [chain, buffer, value] : llvm::zip_equal(
                 kernel.chains, kernel.buffers,
                 reduceWindow(b, kernel.op, kernel.input, shape, position)))
          chain.store(b, value, buffer, element, {});
      });
    });
  }

private:
  /// Lanes that need recomputing; null if none do.
  Value needsRecomputing;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_GROUPEMITTER_H
