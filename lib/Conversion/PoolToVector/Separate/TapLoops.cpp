// The strategy `direct`, for windows that no other strategy supports. Lanes are
// neighboring outputs in the last dimension: columns, or channels with channels
// last. Loops go over the taps of a window. Windows may have any size, and may
// be inside the padding. Windows of 3 columns at stride 1, eight lanes:
//
//   tap 0   a b c d e f g h
//   tap 1   b c d e f g h i    combined with tap 0
//   tap 2   c d e f g h i j    combined with both: lane 0 is the window abc
//
// Nothing is shared between windows: each tap of each window is loaded and
// combined again.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/Limits.h"
#include "Reduce/WindowStrategy.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class TapLoops {
public:
  TapLoops(WindowKernel &kernel, int64_t lanes)
      : kernel(kernel), b(kernel.b),
        reduction(kernel.reduction.withLength(lanes)), length(lanes),
        dims(kernel.dims), window(kernel.op.getWindow()),
        lanesAreColumns(window.layout == Layout::ChannelsFirst) {}

  void create() {
    Value numLanes = kernel.getOutputShape().back();
    SmallVector<Value> upper = kernel.getUpper(kernel.getRank() - 1);
    b.forEachParallel(upper, [&](ValueRange outputs) {
      b.forEach(0, numLanes, length, [&](Value first) {
        coordinates = append(outputs, first);
        existing = {0, b.sub(numLanes, first)};
        emitStrip();
      });
    });
  }

private:
  /// Emits the code for one vector of outputs, from `coordinates` on.
  void emitStrip() {
    WindowTaps taps(b);
    for (auto [d, dim] : llvm::enumerate(dims)) {
      Value start = dim.getStart(b, coordinates[window.getSpatialDim(d)]);
      // If lanes are columns, they have different positions in the last
      // dimension. load() tests these positions, so the loop need not.
      taps.add(dim, start,
               /*isKnownInside=*/lanesAreColumns && d + 1 == dims.size());
    }
    Accumulator acc = taps.getInitial(reduction);
    taps.forEach(acc, [&](ArrayRef<Value> positions) {
      acc = reduction.choose(b, acc, load(positions));
    });
    kernel.store(reduction, acc, coordinates, existing);
  }

  /// Returns accumulators of one tap, which is at `positions` in lane 0: its
  /// elements, or padding outside of the input. With an argmax, they have the
  /// positions of the elements, too.
  Accumulator load(ArrayRef<Value> positions) {
    const LoopDim &columns = dims.back();
    // The range of lanes whose column is inside the input. If lanes are
    // channels, this range has all lanes.
    LaneRange inside;
    if (lanesAreColumns) {
      auto getNumLanesBefore = [&](Value position) {
        Value distance = b.max(b.sub(position, positions.back()), 0);
        return b.ceilDiv(distance, columns.stride);
      };
      inside = {getNumLanesBefore(b.index(0)),
                getNumLanesBefore(columns.input)};
    }
    Value element = load(positions, inside);
    if (!reduction.hasPositions())
      return reduction.getLanes(b, element, {});
    Value indices = kernel.getPositions(positions, length,
                                        lanesAreColumns ? columns.stride : 0);
    indices = selectRange(b, inside,
                          b.castIndex(reduction.getPositionType(), indices),
                          reduction.getEmpty(b).index);
    return reduction.getLanes(b, element, indices);
  }

  Value load(ArrayRef<Value> positions, const LaneRange &inside) {
    SmallVector<Value> indices = coordinates;
    for (auto [d, position] : llvm::enumerate(positions))
      indices[window.getSpatialDim(d)] = position;
    const LoopDim &columns = dims.back();
    if (!lanesAreColumns || columns.stride == 1)
      return reduction.prepare(
          b, reduction.load(b, kernel.input, indices,
                            lanesAreColumns ? inside : existing));
    // The columns of lanes are not consecutive in memory, so load them one by
    // one. For a lane outside of the input, load the nearest element, which
    // exists. selectRange() below replaces it.
    SmallVector<Value> elements;
    for (int64_t lane = 0; lane < length; ++lane) {
      Value column = b.add(positions.back(), lane * columns.stride);
      indices.back() = columns.clampToInput(b, column);
      elements.push_back(b.load(kernel.input, indices));
    }
    VectorType type = reduction.getStoredType();
    Value stored = vector::FromElementsOp::create(
        b, type.clone(elements.front().getType()), elements);
    stored = castFromSignless(b, stored, type);
    return selectRange(b, inside, reduction.prepare(b, stored),
                       reduction.getFill(b));
  }

  WindowKernel &kernel;
  KernelBuilder &b;
  LaneReduction reduction;
  int64_t length;
  ArrayRef<LoopDim> dims;
  WindowAttrs window;
  bool lanesAreColumns;
  /// The output coordinates of the first lane, and the lanes that have an
  /// output.
  SmallVector<Value> coordinates;
  LaneRange existing;
};

struct DirectPlan : WindowPlan {
  DirectPlan() : WindowPlan("direct", "windows") {}
  int64_t lanes = 2;

  void declareParameters(PlanFields &fields) override {
    fields.integer("lanes", lanes, 2, 1 << 20);
  }

  LogicalResult supports(const Problem &problem,
                         std::string &reason) const override {
    if (!problem.hasContiguousLanes)
      return refuse(
          reason,
          "the elements of a buffer's last dimension are not consecutive");
    if (problem.isUniform &&
        (problem.layout == Layout::ChannelsLast || problem.hasUniformPlanes()))
      return refuse(
          reason,
          "sums of such kernels are added in another order, wherever they are");
    return success();
  }

  FailureOr<double> chooseParameters(const Problem &problem,
                                     std::string &) override {
    bool lanesAreColumns = problem.layout == Layout::ChannelsFirst;
    const ProblemDim &columns = problem.getColumns();
    // Choose no more lanes than there are outputs, rounded up to a power of
    // two.
    lanes = problem.getLength();
    if (problem.reduction.hasPositions())
      lanes = std::min(lanes, cost::kMaxPositionLanes);
    std::optional<int64_t> numLanes =
        lanesAreColumns ? columns.knownOutput : problem.channels;
    if (numLanes)
      lanes = std::min<int64_t>(
          lanes, llvm::PowerOf2Ceil(std::clamp<int64_t>(*numLanes, 2, lanes)));
    // Columns that are not consecutive in memory are loaded one by one.
    bool isStrided = lanesAreColumns && columns.stride != 1;
    double perTap = (isStrided ? 2 * lanes : 2) +
                    problem.reduction.getNumPrepareOps() +
                    problem.target.costs.loopOps;
    double planCost = double(getNumTaps(ArrayRef(problem.dims))) * perTap /
                      problem.target.vectorOpsPerCycle /
                      std::min(lanes, numLanes.value_or(lanes));
    if (problem.hasFewChannels())
      planCost *= problem.target.costs.fewChannelsFactor;
    return planCost;
  }

  LogicalResult check(const Problem &problem, PlanScope &,
                      std::string &reason) const override {
    if (llvm::isPowerOf2_64(lanes) && lanes <= problem.getLength())
      return success();
    return refuse(reason, "lanes is {0}, must be a power of two up to {1}",
                  lanes, problem.getLength());
  }

  void emit(WindowKernel &kernel) const override {
    TapLoops(kernel, lanes).create();
  }
};
} // namespace

std::shared_ptr<WindowPlan> pool::createDirectPlan() {
  return std::make_shared<DirectPlan>();
}
