// Finds the known facts of a window reduction. Nothing is built.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Problem/Problem.h"

#include "Problem/CostModel.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "pool/Support/IndexBounds.h"
#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mlir;
using namespace mlir::pool;

/// Returns an extent of a tensor or buffer, from its type or from its
/// definition.
static std::optional<int64_t> getKnownExtent(Value shaped, int64_t d) {
  auto type = cast<ShapedType>(shaped.getType());
  if (!type.isDynamicDim(d))
    return type.getDimSize(d);
  Operation *op = shaped.getDefiningOp();
  if (!op)
    return std::nullopt;
  SmallVector<OpFoldResult> sizes =
      TypeSwitch<Operation *, SmallVector<OpFoldResult>>(op)
          .Case<tensor::EmptyOp, memref::AllocOp, memref::SubViewOp>(
              [](auto shapedOp) { return shapedOp.getMixedSizes(); })
          .Default(SmallVector<OpFoldResult>());
  return int64_t(sizes.size()) == type.getRank() ? getConstantIntValue(sizes[d])
                                                 : std::nullopt;
}

/// Reads extents and windows. Fails, with the reason, where code for several
/// windows would compute with more than 64 bits.
static LogicalResult readDims(WindowReduceOp op, Problem &problem,
                              std::string &reason) {
  WindowAttrs window = op.getWindow();
  SmallVector<OpFoldResult> padsBegin = op.getMixedPadsBegin();
  SmallVector<OpFoldResult> padsEnd = op.getMixedPadsEnd();
  bool hasNoEmpty = true;
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    WindowDim windowDim = window.getDim(i);
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
    // One tap has no dilation.
    dim.dilation = windowDim.kernel == 1 ? 1 : windowDim.dilation;
    unsigned d = window.getSpatialDim(i);
    dim.knownInput = getKnownExtent(op.getInput(), d);
    dim.knownOutput = getKnownExtent(op.getOuts()[0], d);
    dim.knownPad = getConstantIntValue(padsBegin[i]);
    dim.coversPadding = !isConstantIntValue(padsBegin[i], 0) ||
                        !isConstantIntValue(padsEnd[i], 0);
    // The first window's last position is not before the input, the last
    // window's first not after it, and none reaches over it without touching
    // it.
    int64_t reach = (dim.kernel - 1) * dim.dilation;
    hasNoEmpty &=
        isAtMost(padsBegin[i], reach) && isAtMost(padsEnd[i], reach) &&
        (dim.dilation == 1 || dim.knownInput.value_or(0) >= dim.dilation);
  }
  problem.mayClamp = problem.reduction.isIdempotent() &&
                     op.getPadValue() != PadValue::Zero && hasNoEmpty;
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
  // Two outputs at the sharing distance have the same taps, except the first
  // ones of the earlier output and the last ones of the later output.
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

LogicalResult Problem::checkArgmax(std::string &reason) const {
  if (reduction.hasPositions() && !mayClamp)
    return refuse(reason,
                  "a window may lie in padding alone, which no argmax follows");
  return success();
}

FailureOr<Problem> Problem::get(WindowReduceOp op, const Target &target,
                                std::string &reason) {
  FailureOr<LaneReduction> reduction =
      LaneReduction::get(op, target.vectorBits);
  if (failed(reduction))
    return refuse(reason, "its elements or their sums have no vectors");
  Problem problem(target, *reduction);
  problem.layout = op.getWindow().layout;
  // Integers have the same sum in any order, and extrema no order.
  problem.isUniform =
      op->hasAttr(PoolDialect::UniformSumsAttrHelper::getNameStr()) &&
      !reduction->isIdempotent() &&
      isa<FloatType>(getElementTypeOrSelf(op.getInput().getType()));
  if (failed(readDims(op, problem, reason)))
    return failure();
  auto type = cast<ShapedType>(op.getOuts()[0].getType());
  for (int64_t d = 1; d < type.getRank(); ++d)
    // A cast can hide this from the verifier. The code never runs, because a
    // check fails before.
    if (getKnownExtent(op.getOuts()[0], d).value_or(1) <= 0)
      return refuse(reason, "it is known to have no outputs");
  problem.channels = getKnownExtent(
      op.getOuts()[0],
      problem.layout == Layout::ChannelsFirst ? 1 : type.getRank() - 1);

  std::optional<double> &bytes = problem.numBytes;
  bytes = 0;
  for (auto [i, buffer] :
       llvm::enumerate(append(op.getInput(), op.getOuts()))) {
    auto type = cast<ShapedType>(buffer.getType());
    // Results on tensors become buffers of their own.
    bool isPacked = i > 0 || !isSlice(buffer);
    if (auto memref = dyn_cast<MemRefType>(type)) {
      problem.hasContiguousLanes &= memref.isLastDimUnitStride();
      isPacked = memref.getLayout().isIdentity();
    }
    // Upstream has no type for the collapsed dimensions where one extent is 0
    // and another is not known.
    problem.isPacked &= isPacked && !llvm::is_contained(type.getShape(), 0);
    // A sum on tensors ends with the input's type.
    bool isSum = i == 1 && isa<TensorType>(type);
    Type element = getElementTypeOrSelf(isSum ? op.getInput() : buffer);
    int64_t elementBytes = element.getIntOrFloatBitWidth() / 8;
    if (i == 0)
      problem.inputBytes = elementBytes;
    else
      problem.resultBytes.push_back(elementBytes);
    if (!type.hasStaticShape())
      bytes = std::nullopt;
    else if (bytes)
      *bytes += double(type.getNumElements()) * elementBytes;
  }
  if (bytes)
    problem.isLarge = *bytes >= target.streamedBytes;
  return problem;
}
