// Computes the problem of a window reduction from the facts that are known
// about it. Creates no operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/Problem.h"

#include "Plans/WindowFacts.h"

#include <set>

using namespace mlir;
using namespace mlir::pool;

/// Sets `problem.dims` and `problem.mayClamp`. Fails, with the reason, if
/// kernels, strides or dilations are so large that positions in several windows
/// could exceed 64 bits.
static LogicalResult readDims(const WindowFacts &facts, Problem &problem,
                              std::string &reason) {
  bool hasNoEmpty = true;
  for (auto [i, pads] : llvm::enumerate(facts.pads)) {
    WindowDim windowDim = facts.window.getDim(i);
    if (windowDim.kernel > cost::kMaxKernel ||
        windowDim.stride > cost::kMaxStep ||
        windowDim.dilation > cost::kMaxStep)
      return refuse(reason,
                    "spatial dimension {0} has kernel {1}, stride {2} and "
                    "dilation {3}, more than {4}, {5} and {5}",
                    i, windowDim.kernel, windowDim.stride, windowDim.dilation,
                    cost::kMaxKernel, cost::kMaxStep);
    ProblemDim &dim = problem.dims.emplace_back();
    dim.kernel = windowDim.kernel;
    dim.stride = windowDim.stride;
    // A window of one tap has no gaps, whatever its dilation is.
    dim.dilation = windowDim.kernel == 1 ? 1 : windowDim.dilation;
    unsigned d = facts.window.getSpatialDim(i);
    dim.knownInput = facts.buffers[0].shape[d];
    dim.knownOutput = facts.buffers[1].shape[d];
    dim.knownPad = pads.padBegin;
    dim.coversPadding = pads.coversPadding;
    // Every window has a tap inside the input under three conditions: the last
    // tap of the first window is not before the input, the first tap of the
    // last window is not after the input, and the input is not so short that it
    // fits between two taps.
    int64_t reach = (dim.kernel - 1) * dim.dilation;
    hasNoEmpty &=
        pads.mostBegin && *pads.mostBegin <= reach && pads.mostEnd &&
        *pads.mostEnd <= reach &&
        (dim.dilation == 1 || dim.knownInput.value_or(0) >= dim.dilation);
  }
  problem.mayClamp = problem.reduction.isIdempotent() &&
                     facts.elements.padValue != PadValue::Zero && hasNoEmpty;
  return success();
}

SmallVector<int64_t> KernelDim::getPositions(int64_t numOutputs) const {
  std::set<int64_t> positions;
  for (int64_t o = 0; o < numOutputs; ++o)
    for (int64_t tap = 0; tap < kernel; ++tap)
      positions.insert(o * stride + tap * dilation);
  return llvm::to_vector(positions);
}

int64_t KernelDim::getNumPositions(int64_t numOutputs) const {
  // Two windows that are getSharingDistance() apart share their positions,
  // except the first getSharingStride() ones of the earlier window and the last
  // getSharingStride() ones of the later window.
  int64_t numLater = std::max<int64_t>(numOutputs - getSharingDistance(), 0);
  int64_t numShared = std::max<int64_t>(kernel - getSharingStride(), 0);
  return numOutputs * kernel - numLater * numShared;
}

SmallVector<int64_t> Problem::getOuterOffsets(int64_t tap) const {
  ArrayRef<ProblemDim> outer = getOuter();
  SmallVector<int64_t> offsets(outer.size());
  for (unsigned i = outer.size(); i-- > 0; tap /= outer[i].kernel)
    offsets[i] = tap % outer[i].kernel * outer[i].dilation;
  return offsets;
}

bool Problem::hasUniformPlanes() const {
  ProblemDim rows = getRows();
  return layout == Layout::ChannelsFirst &&
         rows.kernel * getNumOuterTaps() <= cost::kMaxUniformRows &&
         std::max(rows.getExtent(), rows.stride) <= cost::kMaxCodeSize &&
         getColumns().getExtent() <= cost::kMaxUniformExtent &&
         getColumns().stride <= cost::kMaxUniformStride;
}

int64_t Problem::getFetchLength() const {
  double memoryBytes = double(target.streamedBytes) * cost::kMemoryFactor;
  int64_t numRequests = numBytes.value_or(0) < memoryBytes ? 1 : 2;
  return std::max<int64_t>(getLineLength() / numRequests, 1);
}

LogicalResult pool::checkLayout(Layout layout, Layout expected,
                                std::string &reason) {
  if (layout == expected)
    return success();
  return refuse(reason, "it is for buffers with the channels {0}",
                expected == Layout::ChannelsFirst ? "first" : "last");
}

LogicalResult Problem::checkLanes(Layout expected, std::string &reason) const {
  if (failed(checkLayout(layout, expected, reason)))
    return failure();
  if (!hasContiguousLanes)
    return refuse(reason, "the {0} of a buffer are not consecutive in memory",
                  layout == Layout::ChannelsFirst ? "columns" : "channels");
  return success();
}

LogicalResult pool::checkCodeSize(StringRef what, int64_t size,
                                  std::string &reason, int64_t most) {
  if (size <= most)
    return success();
  return refuse(reason, "{0} is about {1} operations, more than {2}", what,
                size, most);
}

LogicalResult pool::checkKept(StringRef how, int64_t number,
                              const Target &target, std::string &reason) {
  int64_t most = cost::kMaxSpilledFactor * target.numVectorRegisters;
  if (number <= most)
    return success();
  return refuse(reason, "{0} vectors are {1}, more than {2}", number, how,
                most);
}

LogicalResult Problem::checkArgmax(std::string &reason) const {
  if (reduction.hasPositions() && !mayClamp)
    return refuse(reason,
                  "a window may lie in padding alone, which no argmax follows");
  return success();
}

static FailureOr<Problem> getProblem(const WindowFacts &facts,
                                     const Target &target,
                                     std::string &reason) {
  FailureOr<LaneReduction> reduction =
      LaneReduction::get(facts.elements, target.vectorBits);
  if (failed(reduction))
    return refuse(reason, "its elements or their sums have no vectors");
  Problem problem(target, *reduction);
  problem.layout = facts.window.layout;
  problem.isPacked = !facts.onTensors || !isSlice(facts.input);
  problem.isUniform = facts.isUniform();
  if (failed(readDims(facts, problem, reason)))
    return failure();
  ArrayRef<std::optional<int64_t>> outputs = facts.buffers[1].shape;
  for (std::optional<int64_t> extent : outputs.drop_front())
    // The verifier rejects outputs with an extent of 0, unless a cast hides the
    // extent. In that case, a run-time check fails, if there is one.
    if (extent.value_or(1) <= 0)
      return refuse(reason, "it is known to have no outputs");
  problem.channels = outputs[facts.window.getChannelDim()];

  std::optional<double> &bytes = problem.numBytes;
  bytes = 0;
  for (auto [i, buffer] : llvm::enumerate(facts.buffers)) {
    problem.hasContiguousLanes &= buffer.hasContiguousLanes;
    // memref.collapse_shape has no result type if one extent is 0 and another
    // is unknown.
    problem.isPacked &=
        buffer.isPacked && !llvm::is_contained(buffer.shape, std::optional(0));
    // On tensors, a sum is rounded to the input's type before it is stored.
    bool isSum = i == 1 && facts.onTensors;
    Type element = isSum ? facts.elements.inputType : buffer.element;
    int64_t elementBytes = element.getIntOrFloatBitWidth() / 8;
    if (i == 0)
      problem.inputBytes = elementBytes;
    else
      problem.resultBytes.push_back(elementBytes);
    double numElements = elementBytes;
    for (std::optional<int64_t> extent : buffer.shape)
      if (extent)
        numElements *= *extent;
      else
        bytes = std::nullopt;
    if (bytes)
      *bytes += numElements;
  }
  if (bytes)
    problem.isLarge = *bytes >= target.streamedBytes;
  return problem;
}

FailureOr<Problem> Problem::get(WindowReduceOp op, const Target &target,
                                std::string &reason) {
  if (!op.hasPureTensorSemantics() && !op.hasPureBufferSemantics())
    return refuse(reason, "it is on tensors and buffers together");
  return getProblem(WindowFacts(op), target, reason);
}

FailureOr<Problem> Problem::get(WindowOpInterface op, const Target &target,
                                std::string &reason) {
  return getProblem(WindowFacts(op), target, reason);
}
