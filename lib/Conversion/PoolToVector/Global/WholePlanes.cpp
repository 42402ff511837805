// Windows that are whole planes of channels-first buffers, as in global
// pooling. As many planes as a vector has lanes are each reduced to a vector.
// These vectors merge into the vector of results.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/Memory.h"
#include "Problem/CostModel.h"
#include "Reduce/LaneMerge.h"
#include "Reduce/WindowStrategy.h"

using namespace mlir;
using namespace mlir::pool;

/// Elements of a plane, of a problem that is for this strategy.
static int64_t getNumElements(const Problem &problem) {
  int64_t numElements = 1;
  for (const ProblemDim &dim : problem.dims)
    numElements *= dim.kernel;
  return numElements;
}

namespace {
/// How each plane of a vector of planes is reduced: by straight code or a loop.
enum class PlaneCode { Straight, Loop };

class WholePlanes {
public:
  WholePlanes(WindowKernel &kernel, PlaneCode code)
      : kernel(kernel), at(kernel.at), reduction(kernel.reduction), code(code),
        length(reduction.getLength()),
        numElements(getNumElements(kernel.problem)),
        hasAllLanes(kernel.problem.channels.value_or(0) >= length) {}

  void create() {
    SmallVector<Value> shape = kernel.getOutputShape();
    channels = shape[1];
    planes = collapseFrom(at, kernel.input, 2);
    Value results = collapseFrom(at, kernel.buffers[0], 1);
    Value upper[] = {shape[0], at.ceilDiv(channels, length)};
    at.forEachParallel(upper, [&](ValueRange position) {
      batch = position[0];
      Value first = at.mul(position[1], length);
      // The last vector is moved to the last channels.
      if (hasAllLanes && *kernel.problem.channels % length != 0)
        first = at.min(first, at.sub(channels, length));
      Accumulator acc = reducePlanes(first);
      SmallVector<Value> coordinates(kernel.getRank(), at.index(0));
      coordinates[0] = batch;
      coordinates[1] = first;
      ElementPlace place(coordinates, length, {});
      place.laneDim = 1;
      if (!hasAllLanes)
        place.existing.end = at.sub(channels, first);
      Value value = kernel.chains[0].emit(at, reduction.finish(at, acc), place,
                                          ElementFacts());
      storeLanes(at, value, results, {batch, first}, place.existing);
    });
  }

private:
  /// The results of the planes from `first` on.
  Accumulator reducePlanes(Value first) {
    if (code == PlaneCode::Straight)
      return mergeWindows(at, reduction, length, [&](int64_t plane) {
        Value channel = at.add(first, plane);
        if (!hasAllLanes)
          channel = at.min(channel, at.sub(channels, 1));
        return reducePlane(channel);
      });
    Value numPlanes = at.index(length);
    if (!hasAllLanes)
      numPlanes = at.min(numPlanes, at.sub(channels, first));
    return mergeWindowsInLoop(at, reduction, numPlanes, [&](Value plane) {
      return reducePlane(at.add(first, plane));
    });
  }

  /// Accumulators that together have all of a plane.
  Accumulator reducePlane(Value channel) {
    int64_t end = 0, numAccs = cost::kNumStraightAccumulators;
    if (numElements / length < 4 * numAccs)
      numAccs = 1;
    SmallVector<Accumulator> accs(numAccs);
    if (code == PlaneCode::Loop) {
      numAccs = cost::kNumPlaneAccumulators;
      accs.assign(numAccs, {reduction.getIdentity(at), {}});
      int64_t width = numAccs * length;
      end = numElements / width * width;
      at.forEach(at.index(0), at.index(end), width, accs, [&](Value first) {
        for (auto [i, acc] : llvm::enumerate(accs))
          append(acc, channel, at.add(first, i * length), length);
      });
    }
    for (int64_t i = 0; end + length <= numElements; end += length, ++i)
      append(accs[i % numAccs], channel, at.index(end), length);
    if (end < numElements) {
      // Some elements twice, where that changes nothing.
      if (reduction.isIdempotent() && numElements >= length)
        end = numElements - length;
      append(accs.back(), channel, at.index(end), numElements - end);
    }
    // In pairs; their number is a power of two.
    for (size_t n = accs.size() / 2; n > 0; n /= 2)
      for (size_t i = 0; i < n; ++i)
        accs[i] = reduction.combine(at, accs[i], accs[n + i]);
    return accs[0];
  }

  /// Appends prepared elements from `offset` on; after `numLanes` what adds
  /// nothing. `acc` may be null, at the beginning.
  void append(Accumulator &acc, Value channel, Value offset, int64_t numLanes) {
    LaneRange range = LaneRange::get(at, length, 0, numLanes);
    Value element = reduction.prepare(
        at, reduction.load(at, planes, {batch, channel, offset}, range));
    // Padding may exceed the elements.
    if (kernel.op.getPadValue() == PadValue::Zero)
      element = selectRange(at, range, element, reduction.getIdentity(at));
    if (acc.value)
      acc = reduction.combine(at, acc, {element, {}});
    else
      acc.value = reduction.begin(at, element);
  }

  WindowKernel &kernel;
  KernelBuilder &at;
  const LaneReduction &reduction;
  PlaneCode code;
  int64_t length, numElements;
  bool hasAllLanes;
  Value planes, channels, batch;
};

struct GlobalPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "global", kWhole = "";
  PlaneCode code = PlaneCode::Straight;

  template <typename Fields>
  void visit(Fields &fields) {
    fields.keyword("code", code, {"straight", "loop"});
  }

  /// Operations for a plane.
  static int64_t getPlaneSize(const Problem &problem) {
    return 2 * llvm::divideCeil(getNumElements(problem), problem.getLength()) +
           3;
  }

  static LogicalResult admit(const Problem &problem, std::string &reason) {
    if (failed(checkLayout(problem.layout, Layout::ChannelsFirst, reason)))
      return failure();
    if (problem.reduction.hasPositions() || problem.reduction.hasWideSums())
      return refuse(reason,
                    "lanes that are merged have no argmax and no halves");
    if (!problem.isPacked)
      return refuse(reason, "planes are not packed");
    if (problem.isUniform)
      return refuse(
          reason, "lanes are added in an order that parts of a plane have not");
    int64_t numElements = 1;
    for (const ProblemDim &dim : problem.dims) {
      if (dim.knownOutput.value_or(1) != 1 ||
          dim.knownInput.value_or(dim.kernel) != dim.kernel ||
          dim.knownPad != 0 || (dim.dilation != 1 && dim.kernel != 1))
        return refuse(reason, "windows are no whole planes");
      if (llvm::MulOverflow(numElements, dim.kernel, numElements) ||
          numElements > cost::kMaxPlaneElements)
        return refuse(reason, "planes have too many elements");
    }
    return success();
  }

  /// True if a test at run time must find out that a dimension has one window,
  /// which begins and ends with the input.
  bool isPartial(const Problem &problem) const {
    return llvm::any_of(problem.dims, [](const ProblemDim &dim) {
      return !dim.knownInput || !dim.knownOutput;
    });
  }

  static bool needsPackedResults(const Problem &) { return true; }
  FailureOr<double> choose(const Problem &problem, std::string &reason) {
    if (isPartial(problem) &&
        getNumElements(problem) < cost::kMinTestedElements)
      return refuse(
          reason,
          "windows of fewer than {0} elements are not worth a test at run time",
          cost::kMinTestedElements);
    int64_t size = getPlaneSize(problem);
    code = size * problem.getLength() <= cost::kMaxCodeSize
               ? PlaneCode::Straight
               : PlaneCode::Loop;
    return size / problem.target.vectorOpsPerCycle;
  }

  LogicalResult check(const Problem &problem, PlanScope &,
                      std::string &reason) const {
    bool isTested = isPartial(problem);
    if (isTested != static_cast<bool>(otherwise))
      return refuse(reason,
                    isTested
                        ? "windows may be no whole planes at run time: "
                          "otherwise is missing"
                        : "windows are whole planes: otherwise has no meaning");
    if (code == PlaneCode::Loop)
      return success();
    return checkPinnedSize("straight code",
                           getPlaneSize(problem) * problem.getLength(), reason);
  }

  Value createCondition(WindowKernel &kernel) const {
    KernelBuilder &at = kernel.at;
    Value isWhole;
    for (const LoopDim &dim : kernel.dims) {
      if (!dim.knownInput)
        isWhole = at.both(isWhole, at.isEqual(dim.input, at.index(dim.kernel)));
      if (!dim.knownOutput)
        isWhole = at.both(isWhole, at.isEqual(dim.output, at.index(1)));
    }
    return isWhole;
  }

  void emit(WindowKernel &kernel) const { WholePlanes(kernel, code).create(); }
};
} // namespace

const WindowStrategy pool::kGlobal = WindowStrategy::of<GlobalPlan>();
