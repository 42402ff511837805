// Windows that no other kernel is for: lanes are consecutive outputs of the
// last dimension, and the taps of a window are loops. Any size, and windows in
// padding alone; but what windows share is reduced again for each.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/CostModel.h"
#include "Reduce/WindowStrategy.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
struct DirectPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "direct", kWhole = "windows";
  int64_t lanes = 2;

  template <typename Fields>
  void visit(Fields &fields) {
    fields.integer("lanes", lanes, 2, 1 << 20);
  }
  static LogicalResult admit(const Problem &problem, std::string &reason);
  FailureOr<double> choose(const Problem &problem, std::string &reason);
  LogicalResult check(const Problem &problem, PlanScope &,
                      std::string &reason) const;
  void emit(WindowKernel &kernel) const;
};

class TapLoops {
public:
  TapLoops(WindowKernel &kernel, int64_t lanes)
      : kernel(kernel), at(kernel.at),
        reduction(kernel.reduction.withLength(lanes)), length(lanes),
        rank(kernel.getRank()), dims(kernel.dims),
        lanesAreColumns(kernel.op.getWindow().layout == Layout::ChannelsFirst) {
  }

  void create();

private:
  /// True if the positions of spatial dimension `d` differ between lanes.
  bool hasLanes(unsigned d) const {
    return lanesAreColumns && d + 1 == dims.size();
  }
  /// The outputs of a strip from `coordinates` on.
  void emitStrip();
  Accumulator accumulate(ArrayRef<Value> positions, Accumulator acc);
  /// Lanes whose column, the first being `first`, is inside the input; all if
  /// lanes are channels.
  LaneRange getInsideLanes(Value first);
  /// Prepared lanes, fill outside the input.
  Value load(ArrayRef<Value> positions, const LaneRange &inside);
  /// Returns the positions of these lanes, for the second output.
  Value getPositions(ArrayRef<Value> positions, const LaneRange &inside);

  WindowKernel &kernel;
  KernelBuilder &at;
  LaneReduction reduction;
  int64_t length;
  unsigned rank;
  SmallVector<LoopDim> dims;
  bool lanesAreColumns;
  /// Output coordinates of the first lane, and the lanes that exist.
  SmallVector<Value> coordinates;
  LaneRange existing;
};
} // namespace

void TapLoops::create() {
  Value numLanes = kernel.getOutputShape().back();
  kernel.forEachRow([&](ValueRange outputs) {
    at.forEach(at.index(0), numLanes, length, [&](Value first) {
      coordinates = llvm::to_vector(outputs);
      coordinates.push_back(first);
      existing = LaneRange::getFirst(length, at.sub(numLanes, first));
      emitStrip();
    });
  });
}

void TapLoops::emitStrip() {
  SmallVector<Value> starts;
  TapRanges taps;
  WindowAttrs window = kernel.op.getWindow();
  for (auto [d, dim] : llvm::enumerate(dims)) {
    starts.push_back(dim.getStart(at, coordinates[window.getSpatialDim(d)]));
    if (hasLanes(d))
      taps.addAll(at, dim);
    else
      taps.addValid(at, dim, starts.back());
  }
  Accumulator acc = taps.getInitial(at, reduction);
  at.forEachIn(taps.ranges, acc, [&](ValueRange place) {
    SmallVector<Value> positions;
    for (auto [dim, start, tap] : llvm::zip_equal(dims, starts, place))
      positions.push_back(at.add(start, at.mul(tap, dim.dilation)));
    acc = accumulate(positions, acc);
  });
  ElementPlace place;
  place.coordinates = coordinates;
  place.laneDim = rank - 1;
  place.numLanes = length;
  place.existing = existing;
  kernel.store(reduction, acc, place);
}

Accumulator TapLoops::accumulate(ArrayRef<Value> positions, Accumulator acc) {
  LaneRange inside = getInsideLanes(positions.back());
  Value element = load(positions, inside), indices;
  if (reduction.hasPositions())
    indices = getPositions(positions, inside);
  return reduction.choose(at, acc, reduction.getLanes(at, element, indices));
}

LaneRange TapLoops::getInsideLanes(Value first) {
  if (!lanesAreColumns)
    return {};
  const LoopDim &columns = dims.back();
  auto getNumLanesBefore = [&](Value position) {
    return at.ceilDiv(at.max(at.sub(position, first), 0), columns.stride);
  };
  return {getNumLanesBefore(at.index(0)), getNumLanesBefore(columns.input)};
}

Value TapLoops::load(ArrayRef<Value> positions, const LaneRange &inside) {
  WindowAttrs window = kernel.op.getWindow();
  SmallVector<Value> indices = coordinates;
  for (auto [d, position] : llvm::enumerate(positions))
    indices[window.getSpatialDim(d)] = position;
  if (!lanesAreColumns || dims.back().stride == 1)
    return reduction.prepare(
        at, reduction.load(at, kernel.input, indices,
                           lanesAreColumns ? inside : existing));
  // One by one: what is read for lanes outside the input does not matter, but
  // that it is there.
  SmallVector<Value> elements;
  Value first = indices.back();
  for (int64_t lane = 0; lane < length; ++lane) {
    indices.back() =
        dims.back().clampToInput(at, at.add(first, lane * dims.back().stride));
    elements.push_back(at.load(kernel.input, indices));
  }
  Value stored =
      vector::FromElementsOp::create(at, reduction.getStoredType(), elements);
  return selectRange(at, inside, reduction.prepare(at, stored),
                     reduction.getFill(at));
}

Value TapLoops::getPositions(ArrayRef<Value> positions,
                             const LaneRange &inside) {
  Value indices = kernel.getPositions(positions, length,
                                      lanesAreColumns ? dims.back().stride : 0);
  return selectRange(at, inside, kernel.getWidePositions(indices),
                     reduction.getEmpty(at).index);
}

//===----------------------------------------------------------------------===//
// The strategy
//===----------------------------------------------------------------------===//

LogicalResult DirectPlan::admit(const Problem &problem, std::string &reason) {
  if (!problem.hasContiguousLanes)
    reason = "the elements of a buffer's last dimension are not consecutive";
  else if (problem.isUniform && (problem.layout == Layout::ChannelsLast ||
                                 problem.hasUniformPlanes()))
    reason =
        "sums of such kernels are added in another order, wherever they are";
  else
    return success();
  return failure();
}

FailureOr<double> DirectPlan::choose(const Problem &problem, std::string &) {
  // No more lanes than there are outputs.
  lanes = problem.getLength();
  if (problem.reduction.hasPositions())
    lanes = std::min(lanes, cost::kMaxPositionLanes);
  std::optional<int64_t> numLanes = problem.layout == Layout::ChannelsFirst
                                        ? problem.getColumns().knownOutput
                                        : problem.channels;
  if (numLanes)
    lanes = std::min<int64_t>(
        lanes, llvm::PowerOf2Ceil(std::clamp<int64_t>(*numLanes, 2, lanes)));
  // Columns that lie apart are loaded one by one.
  bool isStrided = problem.layout == Layout::ChannelsFirst &&
                   problem.getColumns().stride != 1;
  double perTap = (isStrided ? 2 * lanes : 2) + problem.target.costs.loopOps;
  double planCost = double(getNumTaps(ArrayRef(problem.dims))) * perTap /
                    problem.target.vectorOpsPerCycle /
                    std::min(lanes, numLanes.value_or(lanes));
  if (problem.hasFewChannels())
    planCost *= problem.target.costs.fewChannelsFactor;
  return planCost;
}

LogicalResult DirectPlan::check(const Problem &problem, PlanScope &,
                                std::string &reason) const {
  if (llvm::isPowerOf2_64(lanes) && lanes <= problem.getLength())
    return success();
  return refuse(reason,
                llvm::formatv("lanes is {0}, must be a power of two up to {1}",
                              lanes, problem.getLength()));
}

void DirectPlan::emit(WindowKernel &kernel) const {
  TapLoops(kernel, lanes).create();
}

const WindowStrategy pool::kDirect = WindowStrategy::of<DirectPlan>();
