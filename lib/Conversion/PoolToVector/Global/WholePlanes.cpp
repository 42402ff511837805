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

struct GlobalPlan : PlanBase {
  static constexpr StringLiteral kStrategy = "global", kWhole = "";
  PlaneCode code = PlaneCode::Straight;

  template <typename Fields>
  void visit(Fields &fields) {
    fields.keyword("code", code, {"straight", "loop"});
  }
  static LogicalResult admit(const Problem &problem, std::string &reason);
  FailureOr<double> choose(const Problem &problem, std::string &reason);
  LogicalResult check(const Problem &problem, PlanScope &,
                      std::string &reason) const;
  /// True if a test at run time must find out that a dimension has one window,
  /// which begins and ends with the input.
  bool isPartial(const Problem &problem) const;
  Value createCondition(WindowKernel &kernel) const;
  void emit(WindowKernel &kernel) const;
};

class WholePlanes {
public:
  explicit WholePlanes(WindowKernel &kernel)
      : kernel(kernel), at(kernel.at), reduction(kernel.reduction),
        length(reduction.getLength()),
        numElements(getNumElements(kernel.problem)) {}

  void create(PlaneCode code);

private:
  /// Stores the results of the planes from `first` on.
  void emitVector(PlaneCode code, Value batch, Value first);
  /// The results of the planes from `first` on.
  Value reducePlanes(PlaneCode code, Value batch, Value first);
  /// Accumulators that together have all of a plane.
  Value reducePlane(Value batch, Value channel);
  Value reduceLongPlane(Value batch, Value channel);
  /// Prepared elements from `offset` on; after `numLanes` what adds nothing.
  Value load(Value batch, Value channel, Value offset, int64_t numLanes);
  /// `acc` may be null, at the beginning.
  Value append(Value acc, Value element);
  Value combine(Value lhs, Value rhs) {
    return reduction.combine(at, {lhs, {}}, {rhs, {}}).value;
  }
  /// Combines all in pairs; their number is a power of two.
  Value combineAll(SmallVector<Value> accs);
  /// With the elements that are left after the last whole vector.
  Value appendRest(Value acc, Value batch, Value channel);

  WindowKernel &kernel;
  KernelBuilder &at;
  const LaneReduction &reduction;
  int64_t length, numElements;
  Value planes, results, channels;
  bool hasAllLanes = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// A plane
//===----------------------------------------------------------------------===//

Value WholePlanes::load(Value batch, Value channel, Value offset,
                        int64_t numLanes) {
  Value indices[] = {batch, channel, offset};
  LaneRange range = LaneRange::get(at, length, 0, numLanes);
  Value element = reduction.prepare(at, kernel.load(planes, indices, range));
  // Padding may exceed the elements.
  if (kernel.op.getPadValue() == PadValue::Zero)
    element = selectRange(at, range, element, reduction.getIdentity(at));
  return element;
}

Value WholePlanes::append(Value acc, Value element) {
  return acc ? combine(acc, element) : reduction.begin(at, element);
}

Value WholePlanes::appendRest(Value acc, Value batch, Value channel) {
  int64_t rest = numElements % length;
  if (rest == 0)
    return acc;
  int64_t offset = numElements - rest;
  // Some elements twice, where that changes nothing.
  if (reduction.isIdempotent() && numElements >= length) {
    offset = numElements - length;
    rest = length;
  }
  return append(acc, load(batch, channel, at.index(offset), rest));
}

Value WholePlanes::combineAll(SmallVector<Value> accs) {
  for (size_t n = accs.size() / 2; n > 0; n /= 2)
    for (size_t i = 0; i < n; ++i)
      accs[i] = combine(accs[i], accs[n + i]);
  return accs[0];
}

Value WholePlanes::reducePlane(Value batch, Value channel) {
  int64_t numVectors = numElements / length;
  int64_t numAccs = cost::kNumStraightAccumulators;
  if (numVectors < 4 * numAccs)
    numAccs = 1;
  SmallVector<Value> accs(numAccs);
  for (int64_t i = 0; i < numVectors; ++i) {
    Value &acc = accs[i % numAccs];
    acc = append(acc, load(batch, channel, at.index(i * length), length));
  }
  accs.back() = appendRest(accs.back(), batch, channel);
  return combineAll(accs);
}

Value WholePlanes::reduceLongPlane(Value batch, Value channel) {
  int64_t width = cost::kNumPlaneAccumulators * length;
  int64_t end = numElements / width * width;
  SmallVector<Value> accs(cost::kNumPlaneAccumulators,
                          reduction.getIdentity(at));
  at.forEach(at.index(0), at.index(end), width, accs, [&](Value first) {
    for (auto [i, acc] : llvm::enumerate(accs)) {
      Value offset = at.add(first, i * length);
      acc = combine(acc, load(batch, channel, offset, length));
    }
  });
  for (int64_t i = 0; end + length <= numElements; end += length, ++i)
    accs[i] = append(accs[i], load(batch, channel, at.index(end), length));
  accs.back() = appendRest(accs.back(), batch, channel);
  return combineAll(accs);
}

//===----------------------------------------------------------------------===//
// Planes
//===----------------------------------------------------------------------===//

Value WholePlanes::reducePlanes(PlaneCode code, Value batch, Value first) {
  if (code == PlaneCode::Straight)
    return mergeWindows(at, reduction, length,
                        [&](int64_t plane) -> Accumulator {
                          Value channel = at.add(first, plane);
                          if (!hasAllLanes)
                            channel = at.min(channel, at.sub(channels, 1));
                          return {reducePlane(batch, channel), {}};
                        })
        .value;
  Value numPlanes = at.index(length);
  if (!hasAllLanes)
    numPlanes = at.min(numPlanes, at.sub(channels, first));
  return mergeWindowsInLoop(
             at, reduction, numPlanes,
             [&](Value plane) -> Accumulator {
               return {reduceLongPlane(batch, at.add(first, plane)), {}};
             })
      .value;
}

void WholePlanes::create(PlaneCode code) {
  SmallVector<Value> shape = kernel.getOutputShape();
  channels = shape[1];
  hasAllLanes = kernel.problem.channels.value_or(0) >= length;
  planes = collapseFrom(at, kernel.input, 2);
  results = collapseFrom(at, kernel.buffers[0], 1);

  Value upper[] = {shape[0], at.ceilDiv(channels, length)};
  at.forEachParallel(upper, [&](ValueRange position) {
    emitVector(code, position[0], at.mul(position[1], length));
  });
}

void WholePlanes::emitVector(PlaneCode code, Value batch, Value first) {
  std::optional<int64_t> knownChannels = kernel.problem.channels;
  // The last vector is moved to the last channels.
  if (hasAllLanes && *knownChannels % length != 0)
    first = at.min(first, at.sub(channels, length));

  Value acc = reducePlanes(code, batch, first);

  ElementPlace place;
  place.coordinates.assign(kernel.getRank(), at.index(0));
  place.coordinates[0] = batch;
  place.coordinates[1] = first;
  place.laneDim = 1;
  place.numLanes = length;
  if (!hasAllLanes)
    place.existing.end = at.sub(channels, first);
  Value value = kernel.chains[0].emit(at, reduction.finish(at, {acc, {}}),
                                      place, ElementFacts());
  Value indices[] = {batch, first};
  storeLanes(at, value, results, indices, place.existing);
}

//===----------------------------------------------------------------------===//
// The strategy
//===----------------------------------------------------------------------===//

/// Operations for a plane.
static int64_t getPlaneSize(const Problem &problem) {
  return 2 * llvm::divideCeil(getNumElements(problem), problem.getLength()) + 3;
}

bool GlobalPlan::isPartial(const Problem &problem) const {
  return llvm::any_of(problem.dims, [](const ProblemDim &dim) {
    return !dim.knownInput || !dim.knownOutput;
  });
}

LogicalResult GlobalPlan::admit(const Problem &problem, std::string &reason) {
  if (problem.layout != Layout::ChannelsFirst)
    return refuse(reason, "it is for buffers with the channels first");
  if (problem.reduction.hasPositions() || problem.reduction.hasWideSums())
    return refuse(reason, "lanes that are merged have no argmax and no halves");
  if (!problem.isPacked)
    return refuse(reason, "planes are not packed");
  if (problem.isUniform)
    return refuse(reason,
                  "lanes are added in an order that parts of a plane have not");
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

FailureOr<double> GlobalPlan::choose(const Problem &problem,
                                     std::string &reason) {
  if (isPartial(problem) && getNumElements(problem) < cost::kMinTestedElements)
    return refuse(reason,
                  llvm::formatv("windows of fewer than {0} elements are not "
                                "worth a test at run time",
                                cost::kMinTestedElements));
  int64_t size = getPlaneSize(problem);
  code = size * problem.getLength() <= cost::kMaxCodeSize ? PlaneCode::Straight
                                                          : PlaneCode::Loop;
  return size / problem.target.vectorOpsPerCycle;
}

LogicalResult GlobalPlan::check(const Problem &problem, PlanScope &,
                                std::string &reason) const {
  bool isDispatched = isPartial(problem);
  int64_t size = getPlaneSize(problem) * problem.getLength();
  if (isDispatched != static_cast<bool>(otherwise))
    return refuse(reason, isDispatched
                              ? "windows may be no whole planes at run time: "
                                "otherwise is missing"
                              : "windows are whole planes: otherwise has no "
                                "meaning");
  if (code == PlaneCode::Loop)
    return success();
  return checkPinnedSize("straight code", size, reason);
}

Value GlobalPlan::createCondition(WindowKernel &kernel) const {
  KernelBuilder &at = kernel.at;
  Value isWhole;
  auto test = [&](Value extent, std::optional<int64_t> known,
                  int64_t expected) {
    if (known)
      return;
    Value equal = at.isEqual(extent, at.index(expected));
    isWhole = at.both(isWhole, equal);
  };
  for (const LoopDim &dim : kernel.dims) {
    test(dim.input, dim.knownInput, dim.kernel);
    test(dim.output, dim.knownOutput, 1);
  }
  return isWhole;
}

void GlobalPlan::emit(WindowKernel &kernel) const {
  WholePlanes(kernel).create(code);
}

const WindowStrategy pool::kGlobal = WindowStrategy::of<GlobalPlan>();
