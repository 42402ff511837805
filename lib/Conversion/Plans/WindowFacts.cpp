// Collects what is known about a window reduction before it is lowered.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Plans/WindowFacts.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/Casts.h"
#include "pool/Dialect/Pool/Utils/IndexBounds.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pool;

static SmallVector<std::optional<int64_t>> getKnown(ArrayRef<int64_t> shape) {
  return llvm::map_to_vector(shape, [](int64_t extent) {
    return ShapedType::isDynamic(extent) ? std::nullopt : std::optional(extent);
  });
}

/// Returns the extents of a tensor or buffer. If the type does not have an
/// extent, looks for a constant size of the tensor.empty, memref.alloc or
/// memref.subview that creates it. Other extents are std::nullopt.
static SmallVector<std::optional<int64_t>> getKnownShape(Value shaped) {
  auto type = cast<ShapedType>(shaped.getType());
  SmallVector<OpFoldResult> sizes;
  if (Operation *op = shaped.getDefiningOp())
    sizes = TypeSwitch<Operation *, SmallVector<OpFoldResult>>(op)
                .Case<tensor::EmptyOp, memref::AllocOp, memref::SubViewOp>(
                    [](auto shapedOp) { return shapedOp.getMixedSizes(); })
                .Default(SmallVector<OpFoldResult>());
  bool areKnown = int64_t(sizes.size()) == type.getRank();
  SmallVector<std::optional<int64_t>> shape;
  for (auto [d, extent] : llvm::enumerate(type.getShape()))
    shape.push_back(!ShapedType::isDynamic(extent) ? std::optional(extent)
                    : areKnown ? getConstantIntValue(sizes[d])
                               : std::nullopt);
  return shape;
}

WindowFacts::WindowFacts(WindowReduceOp op)
    : op(op), window(op.getWindow()), elements(op.getElementReduction()),
      input(op.getInput()), onTensors(op.hasPureTensorSemantics()) {
  for (auto [begin, end] :
       llvm::zip_equal(op.getMixedPadsBegin(), op.getMixedPadsEnd())) {
    WindowDim dim = window.getDim(pads.size());
    PadBounds &known = pads.emplace_back();
    known.padBegin = known.mostBegin = getConstantIntValue(begin);
    known.coveredEnd = known.mostEnd = getConstantIntValue(end);
    known.coversPadding = known.padBegin != 0 || known.coveredEnd != 0;
    // Strategies only ask whether a pad is at most `reach`, because then no
    // window lies completely in this pad. So if a pad is unknown, but proved to
    // be at most `reach`, use `reach` as its bound.
    int64_t reach = (dim.kernel - 1) * dim.dilation;
    if (!known.mostBegin && isAtMost(begin, reach))
      known.mostBegin = reach;
    if (!known.mostEnd && isAtMost(end, reach))
      known.mostEnd = reach;
  }
  SmallVector<Value> values = {op.getInput()};
  llvm::append_range(values, op.getOuts());
  for (Value value : values) {
    BufferFacts &buffer = buffers.emplace_back();
    buffer.element = getElementTypeOrSelf(value);
    buffer.shape = getKnownShape(value);
    if (auto memref = dyn_cast<MemRefType>(value.getType())) {
      buffer.hasContiguousLanes = memref.isLastDimUnitStride();
      buffer.isPacked = memref.getLayout().isIdentity();
    }
  }
}

WindowFacts::WindowFacts(WindowOpInterface op)
    : op(op), window(op.getWindow()), elements(op.getElementReduction()),
      input(op.getInput()) {
  auto type = cast<RankedTensorType>(input.getType());
  BufferFacts source, result;
  source.element = elements.inputType;
  result.element = elements.accType;
  // Use only extents that are still known after decomposition, because this
  // plan must fit then, too. Decomposition casts a quantized input to stored
  // values. The cast hides the operation that creates the input, so only the
  // extents in the type stay known. For other inputs, decomposition also finds
  // constants in that operation.
  bool isQuantised = getElementTypeOrSelf(input) != elements.inputType;
  source.shape = isQuantised ? getKnown(type.getShape()) : getKnownShape(input);
  result.shape =
      getKnown(isQuantised ? type.getShape() : getFoldedShape(input));
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    WindowDim dim = window.getDim(i);
    std::optional<int64_t> &extent = result.shape[window.getSpatialDim(i)];
    PadBounds &known = pads.emplace_back();
    if (!extent) {
      known = getPadBounds(dim, window.modes);
      continue;
    }
    // getFoldedShape() may find an extent that the verifier would reject.
    // Assume 0 outputs then: if run-time checks are inserted, they stop the
    // program before it pools.
    RuleOr<ResolvedDim> resolved = resolveDim(*extent, dim, window.modes);
    extent = resolved ? resolved->output : 0;
    known.padBegin = known.mostBegin = resolved ? resolved->padBegin : 0;
    known.coveredEnd = known.mostEnd = resolved ? resolved->getCoveredEnd() : 0;
    known.coversPadding = known.padBegin != 0 || known.coveredEnd != 0;
  }
  buffers = {source, result};
  if (elements.hasPositions) {
    result.element = IntegerType::get(op.getContext(), 64);
    buffers.push_back(result);
  }
}

bool WindowFacts::isUniform() const {
  // The order matters only for sums of floats, which are rounded. Sums of
  // integers and extrema are the same in any order.
  return op->hasAttr(PoolDialect::UniformSumsAttrHelper::getNameStr()) &&
         !elements.isExtremum() && isa<FloatType>(elements.inputType);
}
