// The strategy `blocks`: a scatter by comparisons. The target is divided into
// blocks, one for each element of the source. The index of an element usually
// names a position of its own block. Maxima over windows that do not overlap
// have such indices. Each position of a block is written once: with the element
// if the index names it, else with 0. A row of four blocks of 2 x 2, eight
// lanes:
//
//   source            a      b      c      d
//   repeated          a  a   b  b   c  c   d  d       by a shuffle
//   the index names   row 0  row 1  row 0  row 1      within the block
//                     col 1  col 0  col 0  col 1
//   target row 0      0  a   0  0   c  0   0  0
//   target row 1      0  0   b  0   0  0   0  d
//
// If an index names a position elsewhere, its slice is written again; see
// scatterParts().
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/Limits.h"
#include "Scatter/ScatterPlan.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
/// The blocks of the target, one for each element of the source.
struct BlockShape {
  /// Returns the blocks of `problem`. Fails, with the reason, if blocks have
  /// one element or too many, or if indices count within a row. Also fails
  /// unless the target's extents from `axis` on are known to be multiples of
  /// the source's.
  static FailureOr<BlockShape> get(const ScatterProblem &problem,
                                   std::string &reason) {
    int64_t rank = problem.targetShape.size(), axis = problem.axis;
    // The loop over rows is not parallel, so there must be rows within a slice.
    if (axis > rank - 2)
      return refuse(reason, "indices count within a row");
    BlockShape blocks;
    int64_t bound = 1;
    blocks.strides.assign(rank, 0);
    blocks.factors.assign(rank, 1);
    for (int64_t d = rank - 1; d >= axis; --d) {
      int64_t extent = problem.sourceShape[d], whole = problem.targetShape[d];
      if (ShapedType::isDynamic(extent) || ShapedType::isDynamic(whole))
        return refuse(reason, "extents of dimension {0} are not known", d);
      if (extent == 0 || whole % extent != 0)
        return refuse(reason, "{0} of dimension {1} is no multiple of {2}",
                      whole, d, extent);
      blocks.strides[d] = bound;
      if (llvm::MulOverflow(bound, whole, bound) ||
          bound >= std::numeric_limits<int32_t>::max())
        return refuse(reason, "distances have more than 32 bits");
      if (blocks.size > cost::kMaxBlock || whole / extent > cost::kMaxBlock)
        return refuse(reason, "blocks have more than {0} elements",
                      cost::kMaxBlock);
      blocks.factors[d] = whole / extent;
      blocks.size *= blocks.factors[d];
    }
    if (blocks.size == 1 || blocks.size > cost::kMaxBlock)
      return refuse(reason, "blocks have {0} elements, not 2 to {1}",
                    blocks.size, cost::kMaxBlock);
    blocks.numParallel = axis;
    while (blocks.numParallel + 2 < rank &&
           problem.targetShape[blocks.numParallel] ==
               problem.sourceShape[blocks.numParallel])
      ++blocks.numParallel;
    return blocks;
  }

  /// For each dimension of a slice, `strides` has its row-major stride in the
  /// target, and `factors` the extent of a block.
  SmallVector<int64_t> strides, factors;
  /// Number of elements of a block.
  int64_t size = 1;
  /// Number of dimensions of the parallel loop, counted from the first one.
  int64_t numParallel = 0;
};

class BlockScatter : ScatterEmitter {
public:
  /// If `streams`, stores are non-temporal. Then the target must be aligned.
  BlockScatter(const ScatterEmitter &emitter, const BlockShape &shape,
               bool streams)
      : ScatterEmitter(emitter), shape(shape), streams(streams),
        factor(shape.factors.back()), length(problem.getLength()) {}

  /// Emits code that writes the blocks of all rows at `outer`, each from its
  /// own element. Returns an i1: true if every index of these rows names a
  /// position of its own block. If the first row has other indices, the other
  /// rows are not written.
  Value emitRows(ValueRange outer) {
    ArrayRef<int64_t> extents =
        problem.sourceShape.drop_front(shape.numParallel);
    // Write the first row, and the other rows only if the first one was right.
    // If windows overlap, an index is likely to leave its block in the first
    // row already.
    Value all = arith::ConstantIntOp::create(b, 1, 1);
    b.forEach(0, 2, 1, all, [&](Value part) {
      b.ifTrue(all, all, [&] {
        Value isFirst = b.isEqual(part, 0);
        Value upper = b.select(isFirst, 1, extents[0]);
        Value counts = b.splat(VectorType::get(length, b.getI32Type()), 0);
        SmallVector<PositionRange> rows = {{part, upper}};
        for (int64_t extent : extents.drop_front().drop_back())
          rows.push_back({b.index(0), b.index(extent)});
        auto emitRow = [&](ValueRange row) {
          forEachVector(b, b.index(extents.back()), length, counts,
                        [&](Value column, const LaneRange &range) {
                          emitStrip(row, column, range, counts);
                        });
        };
        b.forEachIn(rows, counts, emitRow, outer);
        Value number = b.index(
            vector::ReductionOp::create(b, vector::CombiningKind::ADD, counts));
        Value expected =
            b.mul(b.sub(upper, part), *getProduct(extents.drop_front()));
        all = b.isEqual(number, expected);
      });
    });
    return all;
  }

private:
  /// Emits code that writes the blocks of a vector of elements: those of row
  /// `row` that begin at `column`, and are in `range`. Adds the number of
  /// indices that name a position of their own block to `counts`. The sum of
  /// its lanes is the number.
  void emitStrip(ValueRange row, Value column, const LaneRange &range,
                 Value &counts) {
    SmallVector<Value> position = append(row, column);
    // Lanes that do not exist have the index -1, which is in no block.
    Value distances = getDistances(
        loadLanes(b, length, indices, position, range, -1), row, column);
    Value elements = loadLanes(b, length, source, position, range, 0);
    Value zeros = b.constant(b.getZeroAttr(elements.getType()));
    auto codes = cast<VectorType>(distances.getType());
    Type stored = VectorType::get(length, getElementTypeOrSelf(target));
    SmallVector<int64_t> rowOfBlock(shape.factors.size() - 1, 1);
    rowOfBlock.push_back(factor);
    int64_t numStored = factor * range.getKnown(length)->second;
    for (int64_t first = 0; first < numStored; first += length) {
      // Lanes are now columns of the target. Each lane gets the element and the
      // distance of the block that it lies in.
      SmallVector<int64_t> ofBlock = mapLanes(
          length, [&](int64_t lane) { return (first + lane) / factor; });
      Value element = b.shuffle(elements, elements, ofBlock);
      Value distance = b.shuffle(distances, distances, ofBlock);
      LaneRange stores = {0, numStored - first};
      Value named;
      for (SmallVector<int64_t> begin :
           StaticTileOffsetRange(shape.factors, rowOfBlock)) {
        SmallVector<Value> place;
        for (auto [coordinate, extent, within] :
             llvm::zip(position, shape.factors, begin))
          place.push_back(b.add(b.mul(coordinate, extent), within));
        place.back() = b.add(place.back(), first);
        int64_t offset = linearize(begin, shape.strides);
        Value positions = b.lanes(codes, [&](int64_t lane) {
          return offset + (first + lane) % factor;
        });
        Value isNamed = b.isEqual(distance, positions);
        Value lanes =
            castFromSignless(b, b.select(isNamed, element, zeros), stored);
        if (streams)
          vector::StoreOp::create(
              b, lanes, target, place, /*nontemporal=*/true,
              llvm::MaybeAlign(length * getElementBytes(target)));
        else
          storeLanes(b, lanes, target, place, stores);
        named = b.bitOr(named, isNamed);
      }
      counts =
          b.add(counts, arith::ExtUIOp::create(b, counts.getType(), named));
    }
  }

  /// Returns, for each index, its distance from the first position of its
  /// block. If an index is before or after its block, the result is a number
  /// that is not the distance of any position in a block.
  Value getDistances(Value indexLanes, ValueRange row, Value column) {
    Value first = b.mul(column, factor);
    for (auto [coordinate, extent, stride] :
         llvm::zip(row, shape.factors, shape.strides))
      first = b.add(first, b.mul(coordinate, extent * stride));
    auto type = cast<VectorType>(indexLanes.getType());
    Value begin = b.add(
        first, b.lanes(type, [&](int64_t lane) { return lane * factor; }));
    Value distances = b.sub(indexLanes, begin);
    if (type.getElementType().isInteger(32))
      return distances;
    // The minimum is unsigned, so indices before their block become large
    // numbers, too.
    constexpr int64_t largest = std::numeric_limits<int32_t>::max();
    distances = b.fold<arith::MinUIOp>(distances, largest);
    return arith::TruncIOp::create(b, type.clone(b.getI32Type()), distances);
  }

  const BlockShape &shape;
  bool streams;
  /// Number of elements of a row of a block.
  int64_t factor;
  int64_t length;
};

/// The strategy `blocks`. If an index names a position outside its own block,
/// its slice is cleared, and each element is written where its index says.
struct BlocksPlan : ScatterPlan {
  BlocksPlan() : ScatterPlan("blocks") {}
  /// True if stores are non-temporal: they bypass the caches.
  bool streams = false;

  void declareParameters(PlanFields &fields) override {
    fields.flag("stream", streams);
  }

  /// True if rows are whole vectors. Then all rows are aligned if the first one
  /// is.
  static bool canStream(const ScatterProblem &problem) {
    return problem.targetShape.back() % problem.getLength() == 0;
  }

  FailureOr<double> chooseParameters(const ScatterProblem &problem,
                                     std::string &reason) override {
    // Each window must lie in a block of its own, whose extents are the
    // strides. Unpooling has no windows. Assume that its indices lie in their
    // blocks.
    if (!llvm::all_of(problem.windows, [](const ResolvedDim &dim) {
          return dim.padBegin == 0 && dim.input / dim.stride == dim.output &&
                 dim.input % dim.stride == 0 &&
                 (dim.kernel - 1) * dim.dilation < dim.stride;
        }))
      return refuse(reason,
                    "windows are not known to lie in blocks of their own");
    FailureOr<BlockShape> blocks = BlockShape::get(problem, reason);
    if (failed(blocks))
      return failure();
    streams = problem.isLarge && canStream(problem);
    // Each position takes a comparison, a selection and a store.
    double planCost = problem.target.costs.blockOps * blocks->size /
                      problem.target.vectorOpsPerCycle *
                      std::max<int64_t>(problem.width, 32) /
                      problem.target.vectorBits;
    return planCost + problem.getChoiceCost();
  }

  LogicalResult check(const ScatterProblem &problem, PlanScope &,
                      std::string &reason) const override {
    if (failed(BlockShape::get(problem, reason)))
      return failure();
    if (streams && !canStream(problem))
      return refuse(
          reason,
          "rows are no whole vectors, which stores past the caches are");
    return success();
  }

  void emit(ScatterEmitter &emitter) const override {
    KernelBuilder &b = emitter.b;
    std::string reason;
    BlockShape shape = *BlockShape::get(emitter.problem, reason);
    int64_t storeBytes =
        emitter.problem.getLength() * getElementBytes(emitter.target);
    Value isAligned =
        streams ? isAlignedTo(b, emitter.target, storeBytes) : Value();
    b.ifElse(isAligned, [&](bool isAlignedHere) {
      BlockScatter blocks(emitter, shape, streams && isAlignedHere);
      scatterParts(emitter, shape.numParallel,
                   [&](ValueRange outer) { return blocks.emitRows(outer); });
    });
  }
};
} // namespace

std::shared_ptr<ScatterPlan> pool::createBlocksPlan() {
  return std::make_shared<BlocksPlan>();
}
