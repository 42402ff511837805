// Plans and loops of adaptive pooling. The windows of a dimension divide the
// input into nearly equal parts, and may overlap by an element. Seven elements
// and three outputs:
//
//   input       a b c d e f g
//   window 0    a b c
//   window 1        c d e
//   window 2            e f g
//
// With channels last, lanes are channels, and all lanes have the same windows.
// With channels first, lanes are columns. First the rows of a window are
// combined, vector by vector, to one row. Then the windows of columns in that
// row are reduced across lanes (RowWindows.h). Eight columns, and windows of
// two rows:
//
//   rows        abcdefgh, ABCDEFGH
//   combined    each lane has a column: aA bB cC dD eE fF gG hH
//   window 0    aA, bB and cC
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPLAN_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPLAN_H

#include "Fusion/ElementwiseChain.h"
#include "Plans/Plan.h"
#include "Reduce/BlockReduction.h"
#include "Reduce/RowWindows.h"
#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/Utils/SymbolicAdaptiveRules.h"
#include "pool/Support/AdaptiveRules.h"

namespace mlir::pool {

/// Returns the windows of a row. Requires that `columns.input`, its width, is
/// known.
inline RowWindows getRowWindows(const LaneReduction &reduction,
                                const AdaptiveDim &columns) {
  SmallVector<RowWindow> windows;
  for (int64_t o = 0; o < columns.output; ++o)
    windows.push_back({columns.getStart(o), columns.getEnd(o)});
  return RowWindows(reduction, windows);
}

/// Says where the rows of a window are combined to one row.
enum class RowPlace {
  /// In registers, by straight-line code for all output rows of a plane.
  Plane,
  /// In registers, in a loop over output rows.
  Row,
  /// In a buffer. If columns are the only dimension, the input is read instead.
  Buffer,
};

class AdaptiveLoops {
public:
  /// The emitted code reads `input` and writes the buffers of `results`. The
  /// last dimension of `input` must be contiguous. The position of an argmax is
  /// a row-major number over the dimensions of `input` from `carriedAxis` on.
  AdaptiveLoops(KernelBuilder &b, const Problem &problem, int64_t carriedAxis,
                Value input, const FusedResults &results)
      : b(b), reduction(problem.reduction), length(problem.getLength()),
        carriedAxis(carriedAxis), input(input), results(results),
        inputShape(b.getExtents(input)),
        firstDim(inputShape.size() - problem.dims.size() -
                 (problem.layout == Layout::ChannelsLast)) {
    for (auto [i, dim] : llvm::enumerate(problem.dims))
      dims.push_back(resolveAdaptiveDim(
          b, b.getLoc(), getAsOpFoldResult(inputShape[firstDim + i]),
          *dim.knownOutput));
  }

  /// Emits loops over channels-last buffers. Each iteration computes up to
  /// `numVectors` vectors of channels together.
  void createForChannels(int64_t numVectors) {
    b.forEachParallel(getUpper(dims.size()), [&](ValueRange outputs) {
      SmallVector<PositionRange> window = getIntervals(outputs.drop_front());
      reduceStrips(
          inputShape.back(), numVectors, outputs[0], window,
          [&](Value channel, const LaneRange &existing, Accumulator acc) {
            store(append(outputs, channel), existing, acc);
          });
    });
  }

  /// Emits loops over channels-first buffers. `rowPlace` says where the rows of
  /// windows are combined.
  void createForPlanes(RowPlace rowPlace) {
    bool isPlane = rowPlace == RowPlace::Plane;
    bool hasScratch = rowPlace == RowPlace::Buffer && dims.size() > 1;
    auto allocateScratch = [&] {
      if (!hasScratch)
        return;
      Value width = b.index(dims.back().input);
      Value capacity = b.mul(b.ceilDiv(width, length), length);
      scratch = AccumulatorBuffer::allocate(b, reduction, capacity);
    };
    b.forEachTogether(getUpper(dims.size() - (isPlane ? 2 : 1)),
                      hasScratch ? cost::kRowsTogether : 1, allocateScratch,
                      [&](ValueRange outputs) {
                        if (rowPlace == RowPlace::Buffer)
                          return emitRow(outputs);
                        if (!isPlane)
                          return emitRowInRegisters(outputs, isPlane);
                        for (int64_t o = 0; o < dims[0].output; ++o)
                          emitRowInRegisters(append(outputs, b.index(o)),
                                             isPlane);
                      });
  }

private:
  /// Returns the upper bounds of loops: the extents of the input before its
  /// spatial dimensions, and then the extents of the first `numOutputs` spatial
  /// dimensions of the output.
  SmallVector<Value> getUpper(unsigned numOutputs) {
    SmallVector<Value> upper(ArrayRef(inputShape).take_front(firstDim));
    for (const SymbolicAdaptiveDim &dim : ArrayRef(dims).take_front(numOutputs))
      upper.push_back(b.index(dim.output));
    return upper;
  }

  /// Returns the range of input positions of window `o` in spatial dimension
  /// `i`.
  PositionRange getInterval(unsigned i, Value o) {
    Value begin = b.index(getStart({b, b.getLoc()}, dims[i], o));
    Value size = b.index(getSize({b, b.getLoc()}, dims[i], o));
    return {begin, b.add(begin, size)};
  }

  /// Returns, for each i, the range of input positions of window `outputs[i]`
  /// in spatial dimension i. `outputs` may leave out the last spatial
  /// dimensions.
  SmallVector<PositionRange> getIntervals(ValueRange outputs) {
    SmallVector<PositionRange> intervals;
    for (auto [i, o] : llvm::enumerate(outputs))
      intervals.push_back(getInterval(i, o));
    return intervals;
  }

  Accumulator getEmpty() { return reduction.getEmpty(b); }
  /// Emits a load of a vector of the input, from `position` on along the last
  /// dimension. Returns accumulators. Lanes outside `range` change nothing when
  /// they are combined.
  Accumulator load(ValueRange position, const LaneRange &range) {
    Value element =
        reduction.prepare(b, reduction.load(b, input, position, range));
    if (!reduction.hasPositions())
      return reduction.getLanes(b, element, {});
    Value first =
        getElementNumber(b, ArrayRef(inputShape).drop_front(carriedAxis),
                         llvm::to_vector(position.drop_front(carriedAxis)));
    VectorType type = reduction.getPositionType();
    Value positions =
        b.add(b.lanes(type, [](int64_t lane) { return lane; }), first);
    positions = selectRange(b, range, positions, getEmpty().index);
    return reduction.getLanes(b, element, positions);
  }

  /// Emits loops over all positions of `intervals`, which combine the input's
  /// elements with `accs`. `outer` are the coordinates before `intervals`. The
  /// last coordinate is `strip`, and `accs[v]` is the accumulator of its vector
  /// v. `strip.existing` must begin at lane 0. An accumulator may be null only
  /// if `intervals` is empty: then it is begun with the element.
  void appendWindow(ValueRange outer, ArrayRef<PositionRange> intervals,
                    const VectorStrip &strip,
                    MutableArrayRef<Accumulator> accs) {
    auto appendRow = [&](ValueRange position) {
      for (auto [v, acc] : llvm::enumerate(accs)) {
        LaneRange range = {0, b.sub(strip.existing.end, v * length)};
        Value element = b.add(strip.element, v * length);
        acc = reduction.append(b, acc, load(append(position, element), range));
      }
    };
    b.forEachIn(intervals, accs, appendRow, outer);
  }

  /// Emits loops over strips that together cover `numElements` of the last
  /// dimension: first strips of `numVectors` vectors, then of one vector, and
  /// then one of part of a vector. Reduces the windows of each strip by
  /// appendWindow(), and calls `store` for each vector of the strip.
  void reduceStrips(
      Value numElements, int64_t numVectors, ValueRange outer,
      ArrayRef<PositionRange> intervals,
      function_ref<void(Value element, const LaneRange &, Accumulator)> store) {
    auto reduce = [&](const VectorStrip &strip) {
      SmallVector<Accumulator> accs(strip.numVectors, getEmpty());
      appendWindow(outer, intervals, strip, accs);
      for (auto [v, acc] : llvm::enumerate(accs))
        store(b.add(strip.element, v * length), strip.existing, acc);
    };
    Value begin = b.index(0);
    for (int64_t n : {numVectors, int64_t(1)}) {
      Value end = b.mul(b.floorDiv(numElements, n * length), n * length);
      b.forEach(begin, end, n * length,
                [&, n = n](Value first) { reduce({first, n, {}}); });
      begin = end;
    }
    b.forEach(begin, numElements, length, [&](Value first) {
      reduce({first, 1, {0, b.sub(numElements, first)}});
    });
  }

  /// Emits the conversion of accumulators to outputs, and stores of the lanes
  /// of `existing`.
  void store(ArrayRef<Value> coordinates, const LaneRange &existing,
             const Accumulator &lanes) {
    ElementPlace place(coordinates, length, existing);
    SmallVector<Value> values = {reduction.finish(b, lanes)};
    if (reduction.hasPositions())
      values.push_back(lanes.index);
    for (auto [chain, buffer, value] :
         llvm::zip_equal(results.chains, results.buffers, values))
      chain.store(b, value, buffer, place, {});
  }

  /// Emits a row of outputs, and combines the rows of its windows in a buffer.
  /// `coordinates` are the output coordinates of the row: all except the
  /// column.
  void emitRow(ValueRange coordinates) {
    if (dims.size() > 1)
      reduceStrips(b.index(dims.back().input), cost::kAdaptiveStripVectors,
                   coordinates.take_front(2),
                   getIntervals(coordinates.drop_front(2)),
                   [&](Value column, const LaneRange &, Accumulator acc) {
                     scratch.store(b, acc, column);
                   });
    int64_t numColumns = dims.back().output;
    int64_t numWindows = std::min(length, numColumns);
    Value end = b.index(numColumns);
    b.forEach(0, end, length, [&](Value first) {
      Value numOutputs = b.min(b.sub(end, first), length);
      // Lanes after the last window repeat the last window, and are not stored.
      auto reduceWindow = [&](int64_t window) {
        return reduceColumn(coordinates,
                            b.min(b.add(first, window), numColumns - 1));
      };
      auto reduceLane = [&](Value lane) {
        return reduceColumn(coordinates, b.add(first, lane));
      };
      store(append(coordinates, first), {0, numOutputs},
            numWindows > cost::kMaxMergedWindows
                ? mergeWindowsInLoop(b, reduction, numOutputs, reduceLane)
                : mergeWindows(b, reduction, numWindows, reduceWindow));
    });
  }

  /// Returns an accumulator vector whose lanes together have all elements of
  /// window `column` of the row. Its lanes are not combined with each other
  /// yet.
  Accumulator reduceColumn(ValueRange coordinates, Value column) {
    auto [begin, end, step] = getInterval(dims.size() - 1, column);
    Accumulator acc = getEmpty();
    auto appendLanes = [&, end = end](Value first) {
      LaneRange range = {0, b.sub(end, first)};
      acc = reduction.choose(b, acc,
                             dims.size() == 1
                                 ? load(append(coordinates, first), range)
                                 : scratch.load(b, reduction, first, range));
    };
    // Most windows fit one vector. Emit a loop only if some windows may not.
    appendLanes(b.index(begin));
    if (getConstantIntValue(dims.back().maxSize).value_or(length + 1) > length)
      b.forEach(b.add(begin, length), end, length, acc, appendLanes);
    return acc;
  }

  /// Emits a row of outputs, and combines the rows of its windows in registers.
  /// If `isStraight`, this takes no loop over the rows. `coordinates` is as in
  /// emitRow().
  void emitRowInRegisters(ValueRange coordinates, bool isStraight) {
    const SymbolicAdaptiveDim &columns = dims.back();
    int64_t width = *getConstantIntValue(columns.input);
    int64_t numVectors = llvm::divideCeil(width, length);
    VectorStrip strip{b.index(0), numVectors, {0, width}};
    // A loop needs accumulators to begin with. With an argmax, the first
    // element may be a NaN that must be ignored. Begin with the accumulator of
    // an empty window in both cases.
    bool isLoop = dims.size() > 1 && !isStraight;
    bool beginsEmpty = isLoop || reduction.hasPositions();
    SmallVector<Accumulator> accs(numVectors,
                                  beginsEmpty ? getEmpty() : Accumulator());
    ValueRange plane = coordinates.take_front(2);
    SmallVector<PositionRange> rows = getIntervals(coordinates.drop_front(2));
    if (isStraight) {
      int64_t end = *rows[0].end.getKnown();
      for (int64_t i = *rows[0].begin.getKnown(); i < end; ++i)
        appendWindow(append(plane, b.index(i)), {}, strip, accs);
    } else {
      appendWindow(plane, rows, strip, accs);
    }
    RowWindows windows = getRowWindows(reduction, {width, columns.output});
    for (int64_t first = 0; first < columns.output; first += length)
      store(append(coordinates, b.index(first)), {0, columns.output - first},
            windows.reduce(b, accs, first));
  }

  KernelBuilder &b;
  const LaneReduction &reduction;
  int64_t length, carriedAxis;
  Value input;
  const FusedResults &results;
  SmallVector<Value> inputShape;
  /// Index of the first spatial dimension of the input.
  unsigned firstDim;
  SmallVector<SymbolicAdaptiveDim> dims;
  /// A row of accumulators, for RowPlace::Buffer.
  AccumulatorBuffer scratch;
};

/// Returns the problem of `op`. Its dimensions have extents, but no kernel,
/// stride or padding. Fails, with the reason, if `op` has the attribute
/// pool.uniform_sums and adds floats: their order is that of the lowering to
/// linalg.
FailureOr<Problem> getAdaptiveProblem(AdaptiveOpInterface op,
                                      const Target &target,
                                      std::string &reason);

using AdaptivePlan = Plan<Problem, AdaptiveLoops>;
using AdaptiveStrategy = Strategy<AdaptivePlan>;
ArrayRef<AdaptiveStrategy> getAdaptiveStrategies();

/// Replaces `op`, and the elementwise operations that are fused into it, by the
/// loops of `plan`. Returns `values`, in which each value that this erases is
/// exchanged for its replacement.
SmallVector<Value> replaceByLoops(RewriterBase &rewriter,
                                  AdaptiveOpInterface op,
                                  const Problem &problem,
                                  const AdaptivePlan &plan, ValueRange values);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_ADAPTIVE_ADAPTIVEPLAN_H
