// Base class of emitters that compute outputs in groups. A group is neighboring
// outputs that one piece of straight-line code computes, because their windows
// share elements. The class cuts rows into groups, and emits stores that bypass
// the caches. It recomputes outputs whose argmax the fast code does not find.
//
// Seven rows of outputs in groups of three. The last group is moved back, or
// has fewer rows:
//
//   extrema   0 1 2   3 4 5   4 5 6    rows 4 and 5 are stored twice
//   sums      0 1 2   3 4 5   6 - -    `-` is computed as padding
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_GROUPEMITTER_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_GROUPEMITTER_H

#include "Reduce/WindowStrategy.h"

#include "pool/Dialect/Pool/Transforms/WindowLoops.h"

namespace mlir::pool {

/// Returns the alignment, in bytes, of stores to elements whose numbers are
/// multiples of `distance`, in a buffer that is aligned to a cache line. An
/// element has `elementBytes` bytes. The result is a power of two, at most a
/// cache line. Returns 0 if non-temporal stores are not possible, because the
/// alignment is less than their least size or more than a vector.
inline int64_t getStreamAlignment(const Problem &problem, int64_t distance,
                                  int64_t elementBytes) {
  int64_t all = problem.target.cacheLineBytes | distance * elementBytes;
  int64_t alignment = all & -all;
  return alignment >= cost::kMinStoreBytes &&
                 alignment <= problem.getLength() * elementBytes
             ? alignment
             : 0;
}
/// True if getStreamAlignment() allows non-temporal stores to all results.
inline bool canStream(const Problem &problem, int64_t distance) {
  return llvm::all_of(problem.resultBytes, [&](int64_t bytes) {
    return getStreamAlignment(problem, distance, bytes) != 0;
  });
}

/// Fails, with the reason, if there is an argmax and `numBits` add up to 31
/// bits or more. To identify an element of a group, an argmax takes
/// `numBits[d]` bits for dimension `d`; see WindowKernel::decodeArgmax().
inline LogicalResult checkArgmaxBits(const Problem &problem,
                                     ArrayRef<int64_t> numBits,
                                     std::string &reason) {
  if (!problem.reduction.hasPositions() || llvm::sum_of(numBits) < 31)
    return success();
  return refuse(reason, "an argmax within a group has more than 30 bits");
}

/// Base class with the state and the functions that emit groups of outputs.
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
  /// True if the last group is moved back to end at the last row. Then some
  /// rows are in two groups, and are stored twice, perhaps by two threads. Both
  /// results must have the same bits. So groups are not moved back for sums,
  /// whose rounding depends on where the row is in its group.
  bool movesLastGroup = false;
  /// True if the last group may extend beyond the last row of outputs.
  bool mayLackRows = false;

protected:
  /// Sets `movesLastGroup` and `mayLackRows` for groups of `numRows` rows. If a
  /// group may extend beyond the last row, sets `rows.coversPadding`, too.
  void setGroupRows(LoopDim &rows, int64_t numRows) {
    bool areWhole = rows.knownOutput.value_or(1) % numRows == 0;
    movesLastGroup = !areWhole && reduction.isIdempotent();
    mayLackRows = !areWhole && (!rows.knownOutput || !movesLastGroup);
    // Rows after the last one have windows that may be outside of the input.
    // Treat the input as if it had padding there.
    rows.coversPadding |= mayLackRows;
  }

  /// Emits a parallel loop over the first `numDims` dimensions of the outputs.
  /// If the problem has rows, they must be the last of these dimensions, and
  /// each iteration has a group of `numRows` rows. `body` gets the coordinates
  /// of the group's first output, after the group was moved back if needed.
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

  /// Emits `body`, which must store vectors to elements of a row whose numbers
  /// are multiples of `distance`. If `streams`, and if getStreamAlignment() is
  /// not 0 for any buffer, emits a branch and calls `body` twice: for
  /// non-temporal stores, and for ordinary stores. The first side runs if all
  /// buffers and rows are aligned. If the size of the buffers is unknown, they
  /// must also be too large for the caches.
  void emitStreaming(bool streams, int64_t distance,
                     function_ref<void()> body) {
    if (!streams)
      return body();
    // Compute the alignment again. Fused elementwise operations may change the
    // element type, and the plan was checked for the type without them.
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
    // The same kernel may emit the code of another plan next, which must not
    // use these alignments.
    kernel.alignments.clear();
  }

  /// Returns `lanes` if `isInside` is null or true, else padding. `isInside` is
  /// an i1, or a mask with an i1 for each lane.
  Value fillUnless(Value isInside, Value lanes) {
    return isInside ? b.select(isInside, lanes, reduction.getFill(b)) : lanes;
  }

  /// Adds to `needsRecomputing` the lanes of `existing` whose argmax may be
  /// wrong; see LaneReduction::getNeedsRecomputing().
  void markLanesWithoutMaximum(Accumulator lanes, const LaneRange &existing) {
    Value unknown = reduction.getNeedsRecomputing(b, lanes.value);
    // Lanes outside of `existing` may be poison. Select false for them.
    if (unknown)
      unknown =
          selectRange(b, existing, unknown,
                      b.constant(cast<VectorType>(unknown.getType()), false));
    needsRecomputing = b.bitOr(needsRecomputing, unknown);
  }

  /// Emits a branch that runs if a lane was marked by
  /// markLanesWithoutMaximum(). It computes all outputs of the group again, one
  /// by one without vectors, and stores them. In dimension `d`, the group has
  /// `sizes[d]` outputs from `first[d]` on, up to the extent of the output.
  /// Afterwards no lane is marked.
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
  /// A vector of i1 whose lane i is true if lane i was marked in any vector of
  /// the group. Null if no lane can have been marked.
  Value needsRecomputing;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_GROUPEMITTER_H
