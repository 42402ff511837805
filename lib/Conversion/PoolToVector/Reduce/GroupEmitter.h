// Base class of emitters that compute outputs in groups: neighboring outputs
// whose windows share elements, by one piece of straight-line code. It cuts
// rows into groups, and emits stores that bypass the caches. It recomputes
// outputs whose argmax the fast code does not find.
//
// Seven rows of outputs in groups of three. The last group is moved back, or
// lacks rows:
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

/// Returns the alignment of non-temporal stores, in bytes: the largest power of
/// two, up to a cache line, that divides the bytes of `distance` elements. In
/// an aligned buffer, all elements whose numbers are multiples of `distance`
/// have it. Returns 0 if that is less than the shortest non-temporal store or
/// more than a vector.
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

/// Fails, with the reason, if there is an argmax and an element of a group
/// cannot be identified by less than 31 bits. `numBits[d]` of these are for
/// dimension `d`; see WindowKernel::decodeArgmax().
inline LogicalResult checkArgmaxBits(const Problem &problem,
                                     ArrayRef<int64_t> numBits,
                                     std::string &reason) {
  if (!problem.reduction.hasPositions() || llvm::sum_of(numBits) < 31)
    return success();
  return refuse(reason, "an argmax within a group has more than 31 bits");
}

/// State and functions for emitting groups of outputs.
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
  /// True if the last group is moved back to end at the last row. Rows in two
  /// groups are then stored twice, perhaps by two threads, so both must have
  /// the same bits. Sums do not: their rounding depends on the row's place in
  /// its group.
  bool movesLastGroup = false;
  /// True if a group may have rows after the last row of outputs.
  bool mayLackRows = false;

protected:
  /// Sets how `rows` are cut into groups of `numRows`.
  void setGroupRows(LoopDim &rows, int64_t numRows) {
    bool areWhole = rows.knownOutput.value_or(1) % numRows == 0;
    movesLastGroup = !areWhole && reduction.isIdempotent();
    mayLackRows = !areWhole && (!rows.knownOutput || !movesLastGroup);
    // The windows of rows after the last one may be outside of the input. Treat
    // them as if the input had padding there.
    rows.coversPadding |= mayLackRows;
  }

  /// Emits a parallel loop over the first `numDims` dimensions of the outputs.
  /// If there are rows, they are the last of these dimensions, and each
  /// iteration has a group of `numRows`. `body` gets the coordinates of the
  /// group's first output.
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

  /// Emits `body`, with non-temporal stores if `streams`. Stores begin at
  /// elements of a row whose numbers are multiples of `distance`. Non-temporal
  /// stores require that buffers are aligned, and are worth it if these are too
  /// large for the caches. If this is not known, emits a test and `body` twice:
  /// with such stores, and with others.
  void emitStreaming(bool streams, int64_t distance,
                     function_ref<void()> body) {
    if (!streams)
      return body();
    // A fused elementwise operation may store elements of another type than the
    // plan was checked for.
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
    // The code of a fallback may follow, which does not use these alignments.
    kernel.alignments.clear();
  }

  /// Returns `lanes` if `isInside` is null or true, else padding.
  Value fillUnless(Value isInside, Value lanes) {
    return isInside ? b.select(isInside, lanes, reduction.getFill(b)) : lanes;
  }

  /// Marks lanes of `existing` whose argmax may be wrong, for
  /// recomputeMarkedLanes(). See LaneReduction::getNeedsRecomputing().
  void markLanesWithoutMaximum(Accumulator lanes, const LaneRange &existing) {
    Value unknown = reduction.getNeedsRecomputing(b, lanes.value);
    // Lanes that do not exist may be poison. Select false for them.
    if (unknown)
      unknown =
          selectRange(b, existing, unknown,
                      b.constant(cast<VectorType>(unknown.getType()), false));
    needsRecomputing = b.bitOr(needsRecomputing, unknown);
  }

  /// If a lane of the group was marked, computes all outputs of the group
  /// again, one by one without vectors, and stores them. In dimension `d`, the
  /// group has `sizes[d]` outputs from `first[d]` on.
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
  /// A vector of i1: the marked lanes of all vectors of the group. Null if no
  /// lane can be marked.
  Value needsRecomputing;
};

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_REDUCE_GROUPEMITTER_H
