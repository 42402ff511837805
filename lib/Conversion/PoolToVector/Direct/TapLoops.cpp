// Windows that no other kernel is for: lanes are consecutive outputs of the
// last dimension, and the taps of a window are loops. Any size, and windows in
// padding alone; but shared taps are reduced again for each window.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/CostModel.h"
#include "Reduce/WindowStrategy.h"

using namespace mlir;
using namespace mlir::pool;

namespace {
class TapLoops {
public:
  TapLoops(WindowKernel &kernel, int64_t lanes)
      : kernel(kernel), at(kernel.at),
        reduction(kernel.reduction.withLength(lanes)), length(lanes),
        dims(kernel.dims), window(kernel.op.getWindow()),
        lanesAreColumns(window.layout == Layout::ChannelsFirst) {}

  void create() {
    Value numLanes = kernel.getOutputShape().back();
    SmallVector<Value> upper = kernel.getUpper(kernel.getRank() - 1);
    at.forEachParallel(upper, [&](ValueRange outputs) {
      at.forEach(0, numLanes, length, [&](Value first) {
        coordinates = append(outputs, first);
        existing = {0, at.sub(numLanes, first)};
        emitStrip();
      });
    });
  }

private:
  /// The outputs of a strip from `coordinates` on.
  void emitStrip() {
    WindowTaps taps(at);
    for (auto [d, dim] : llvm::enumerate(dims)) {
      Value start = dim.getStart(at, coordinates[window.getSpatialDim(d)]);
      // Positions that differ between lanes are tested lane by lane.
      taps.add(dim, start,
               /*isKnownInside=*/lanesAreColumns && d + 1 == dims.size());
    }
    Accumulator acc = taps.getInitial(reduction);
    taps.forEach(acc, [&](ArrayRef<Value> positions) {
      acc = reduction.choose(at, acc, load(positions));
    });
    kernel.store(reduction, acc, coordinates, existing);
  }

  /// Returns the elements of a tap, fill outside the input, with their
  /// positions if there is a second output.
  Accumulator load(ArrayRef<Value> positions) {
    const LoopDim &columns = dims.back();
    // Lanes whose column is inside the input; all if lanes are channels.
    LaneRange inside;
    if (lanesAreColumns) {
      auto getNumLanesBefore = [&](Value position) {
        Value distance = at.max(at.sub(position, positions.back()), 0);
        return at.ceilDiv(distance, columns.stride);
      };
      inside = {getNumLanesBefore(at.index(0)),
                getNumLanesBefore(columns.input)};
    }
    Value element = load(positions, inside);
    if (!reduction.hasPositions())
      return reduction.getLanes(at, element, {});
    Value indices = kernel.getPositions(positions, length,
                                        lanesAreColumns ? columns.stride : 0);
    indices = selectRange(at, inside,
                          at.castIndex(reduction.getPositionType(), indices),
                          reduction.getEmpty(at).index);
    return reduction.getLanes(at, element, indices);
  }

  Value load(ArrayRef<Value> positions, const LaneRange &inside) {
    SmallVector<Value> indices = coordinates;
    for (auto [d, position] : llvm::enumerate(positions))
      indices[window.getSpatialDim(d)] = position;
    const LoopDim &columns = dims.back();
    if (!lanesAreColumns || columns.stride == 1)
      return reduction.prepare(
          at, reduction.load(at, kernel.input, indices,
                             lanesAreColumns ? inside : existing));
    // One by one. Lanes outside the input may read any element, but it must be
    // there.
    SmallVector<Value> elements;
    for (int64_t lane = 0; lane < length; ++lane) {
      Value column = at.add(positions.back(), lane * columns.stride);
      indices.back() = columns.clampToInput(at, column);
      elements.push_back(at.load(kernel.input, indices));
    }
    VectorType type = reduction.getStoredType();
    Value stored = vector::FromElementsOp::create(
        at, type.clone(elements.front().getType()), elements);
    stored = castFromSignless(at, stored, type);
    return selectRange(at, inside, reduction.prepare(at, stored),
                       reduction.getFill(at));
  }

  WindowKernel &kernel;
  KernelBuilder &at;
  LaneReduction reduction;
  int64_t length;
  ArrayRef<LoopDim> dims;
  WindowAttrs window;
  bool lanesAreColumns;
  /// Output coordinates of the first lane, and the lanes that exist.
  SmallVector<Value> coordinates;
  LaneRange existing;
};

struct DirectPlan : WindowPlan {
  DirectPlan() : WindowPlan("direct", "windows") {}
  int64_t lanes = 2;

  void visit(PlanFields &fields) override {
    fields.integer("lanes", lanes, 2, 1 << 20);
  }

  LogicalResult admit(const Problem &problem,
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

  FailureOr<double> choose(const Problem &problem, std::string &) override {
    bool lanesAreColumns = problem.layout == Layout::ChannelsFirst;
    const ProblemDim &columns = problem.getColumns();
    // No more lanes than there are outputs.
    lanes = problem.getLength();
    if (problem.reduction.hasPositions())
      lanes = std::min(lanes, cost::kMaxPositionLanes);
    std::optional<int64_t> numLanes =
        lanesAreColumns ? columns.knownOutput : problem.channels;
    if (numLanes)
      lanes = std::min<int64_t>(
          lanes, llvm::PowerOf2Ceil(std::clamp<int64_t>(*numLanes, 2, lanes)));
    // Columns that lie apart are loaded one by one.
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
