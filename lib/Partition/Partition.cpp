// Divides window operations, their gradients and max_unpool into parts.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Partition/Partition.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/IR/ScatterInference.h"
#include "pool/Support/WindowTiles.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::pool;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

SmallVector<int64_t> pool::getEqualParts(int64_t extent, int64_t count) {
  SmallVector<int64_t> sizes(count, extent / count);
  for (int64_t i = 0; i < extent % count; ++i)
    ++sizes[i];
  return sizes;
}

SmallVector<PartSource> pool::getSources(PartRange range,
                                         ArrayRef<int64_t> sizes) {
  SmallVector<PartSource> sources;
  int64_t begin = 0;
  for (auto [block, size] : llvm::enumerate(sizes)) {
    int64_t first = std::max(begin, range.offset);
    int64_t last = std::min(begin + size, range.getEnd());
    if (first < last)
      sources.push_back({static_cast<int64_t>(block), {first, last - first}});
    begin += size;
  }
  return sources;
}

/// Divides `extent` elements into a block for each of `parts`, and returns the
/// sizes of the blocks. If a part of the result ends at `end`, the block of the
/// next part begins at `getBegin(end)`. The last block has the remaining
/// elements.
static SmallVector<int64_t> getBlocks(ArrayRef<PartDim> parts, int64_t extent,
                                      function_ref<int64_t(int64_t)> getBegin) {
  SmallVector<int64_t> sizes;
  int64_t begin = 0;
  for (const PartDim &part : parts.drop_back()) {
    int64_t end = std::min(getBegin(part.result.getEnd()), extent);
    sizes.push_back(end - begin);
    begin = end;
  }
  sizes.push_back(extent - begin);
  return sizes;
}

SmallVector<int64_t> Partition::getInputBlocks(unsigned d) const {
  const PartitionDim &dim = dims[d];
  int64_t stride = resultHasInputShape ? 1 : dim.window.stride;
  return getBlocks(dim.parts, dim.window.input, [&](int64_t end) {
    return end > dim.window.input / stride ? dim.window.input : end * stride;
  });
}

SmallVector<int64_t> Partition::getWindowBlocks(unsigned d) const {
  const PartitionDim &dim = dims[d];
  // From `axis` on, max_unpool has no windows (`kernel` is 0), and only the
  // indices tell which values a part needs. So all blocks are correct. Return
  // blocks of equal sizes.
  if (resultHasInputShape && dim.window.kernel == 0)
    return getEqualParts(dim.window.output, dim.parts.size());
  int64_t stride = resultHasInputShape ? dim.window.stride : 1;
  return getBlocks(dim.parts, dim.window.output, [&](int64_t end) {
    return end / stride + (end % stride != 0);
  });
}

//===----------------------------------------------------------------------===//
// Parts of each kind of operation
//===----------------------------------------------------------------------===//

/// Returns a dimension in which window i is the element i.
static ResolvedDim getIdentity(int64_t extent) {
  ResolvedDim dim = {};
  dim.input = dim.output = extent;
  dim.kernel = dim.stride = dim.dilation = 1;
  return dim;
}

namespace {
/// Builds the partition of one operation.
class Partitioner {
public:
  Partitioner(Operation *op, ArrayRef<SmallVector<int64_t>> sizes)
      : op(op), sizes(sizes) {}

  FailureOr<Partition> run();

private:
  LogicalResult run(WindowReduceOp op);
  LogicalResult run(WindowOpInterface op);
  LogicalResult run(MaxUnpoolOp op);
  /// Divides a gradient.
  LogicalResult run(WindowAttrsOpInterface op);

  /// Emits an error and fails if `type` is unranked or has unknown extents.
  LogicalResult verifyKnown(Type type);
  /// Adds all dimensions of `shape` to the partition, with the windows of
  /// `window` in the spatial ones.
  void resolve(ArrayRef<int64_t> shape, const WindowAttrs &window);
  /// Sets the weights of the dimensions from `axis` on to their row-major
  /// strides in `shape`, because indices count positions in row-major order.
  void setWeights(ArrayRef<int64_t> shape, unsigned axis);
  /// Checks `sizes`, and adds the parts of every dimension. Calls `addPart` for
  /// each part that is not empty, to set all members except `result`.
  LogicalResult
  addParts(ArrayRef<int64_t> resultShape,
           function_ref<void(const PartitionDim &, PartDim &)> addPart);

  Operation *op;
  ArrayRef<SmallVector<int64_t>> sizes;
  Partition partition;
};
} // namespace

LogicalResult Partitioner::verifyKnown(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (shaped && shaped.hasStaticShape())
    return success();
  return op->emitOpError("cannot be cut into parts: all extents must be known, "
                         "but there is a ")
         << type;
}

void Partitioner::resolve(ArrayRef<int64_t> shape, const WindowAttrs &window) {
  for (int64_t extent : shape)
    partition.dims.emplace_back().window = getIdentity(extent);
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    // resolveDim cannot fail, because the operation was verified.
    partition.dims[d].window =
        *resolveDim(shape[d], window.getDim(i), window.modes);
  }
}

void Partitioner::setWeights(ArrayRef<int64_t> shape, unsigned axis) {
  int64_t weight = 1;
  for (unsigned d = shape.size(); d-- > axis;) {
    partition.dims[d].indexStride = weight;
    weight *= shape[d];
  }
}

LogicalResult Partitioner::addParts(
    ArrayRef<int64_t> resultShape,
    function_ref<void(const PartitionDim &, PartDim &)> addPart) {
  if (sizes.size() != resultShape.size())
    return op->emitOpError(
        formatv("cannot be cut into parts: sizes are given for {0} dimensions, "
                "the result has {1}",
                sizes.size(), resultShape.size()));
  for (unsigned d = 0; d < sizes.size(); ++d) {
    auto emitError = [&](const auto &text) {
      return op->emitOpError(
          formatv("cannot be cut in dimension {0}: {1}", d, text));
    };
    if (sizes[d].empty())
      return emitError("there are no parts");
    int64_t offset = 0;
    for (auto [i, size] : llvm::enumerate(sizes[d])) {
      if (size < 0)
        return emitError(formatv(
            "part {0} has {1} elements, must have at least 0", i, size));
      if (size > resultShape[d] - offset)
        return emitError(formatv("part {0} has {1} elements from {2} on, the "
                                 "result has {3}",
                                 i, size, offset, resultShape[d]));
      PartDim part;
      part.result = {offset, size};
      if (size > 0)
        addPart(partition.dims[d], part);
      partition.dims[d].parts.push_back(part);
      offset += size;
    }
    if (offset != resultShape[d])
      return emitError(formatv("the parts have {0} elements, the result has "
                               "{1}",
                               offset, resultShape[d]));
  }
  return success();
}

/// Sets the ranges and pads of a part of a window operation.
static void addWindowPart(const PartitionDim &dim, PartDim &part) {
  const ResolvedDim &window = dim.window;
  auto [offset, size] = part.result;
  part.windows = part.result;
  ResolvedWindowTile tile = getWindowTile(
      {window.kernel, window.stride, window.dilation, window.padBegin},
      window.input, offset, size);
  part.input = {tile.inputOffset, tile.inputSize};
  part.padBegin = tile.padBegin;
  // If the part's windows begin after the input, padBegin already includes all
  // positions that they cover.
  part.padEnd = window.getStart(offset) >= window.input ? 0 : tile.padEnd;
}

LogicalResult Partitioner::run(WindowReduceOp op) {
  Type outType = op.getOuts()[0].getType();
  if (failed(verifyKnown(op.getInput().getType())) ||
      failed(verifyKnown(outType)))
    return failure();
  std::optional<SmallVector<int64_t>> padsBegin =
      getConstantIntValues(op.getMixedPadsBegin());
  std::optional<SmallVector<int64_t>> padsEnd =
      getConstantIntValues(op.getMixedPadsEnd());
  std::optional<SmallVector<int64_t>> positions =
      getConstantIntValues(op.getMixedPositions());
  if (!padsBegin || !padsEnd || !positions)
    return op.emitOpError("cannot be cut into parts: pads and positions must "
                          "be known");

  ArrayRef<int64_t> input =
      cast<ShapedType>(op.getInput().getType()).getShape();
  ArrayRef<int64_t> output = cast<ShapedType>(outType).getShape();
  for (int64_t extent : input)
    partition.dims.emplace_back().window = getIdentity(extent);
  WindowAttrs window = op.getWindow();
  if (!positions->empty())
    partition.base = positions->front();
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    unsigned d = window.getSpatialDim(i);
    WindowDim dim = window.getDim(i);
    partition.dims[d].window = {input[d],      output[d],     dim.kernel,
                                dim.stride,    dim.dilation,  (*padsBegin)[i],
                                (*padsEnd)[i], /*overhang=*/0};
    if (!positions->empty())
      partition.dims[d].indexStride = (*positions)[i + 1];
  }
  return addParts(output, addWindowPart);
}

LogicalResult Partitioner::run(WindowOpInterface op) {
  TensorType type = op.getWindowedType();
  if (failed(verifyKnown(type)))
    return failure();
  resolve(type.getShape(), op.getWindow());
  auto extremum = dyn_cast<ExtremumOpInterface>(op.getOperation());
  if (extremum && extremum.getIndices())
    setWeights(type.getShape(), extremum.getNormalizedAxis());
  SmallVector<int64_t> output =
      llvm::map_to_vector(partition.dims, [](const PartitionDim &dim) {
        return dim.window.output;
      });
  return addParts(output, addWindowPart);
}

LogicalResult Partitioner::run(MaxUnpoolOp op) {
  if (failed(verifyKnown(op.getValues().getType())) ||
      failed(verifyKnown(op.getOutput().getType())))
    return failure();
  ArrayRef<int64_t> output = op.getOutput().getType().getShape();
  ArrayRef<int64_t> values = op.getValues().getType().getShape();
  unsigned axis = op.getNormalizedAxis();
  for (auto [d, extent] : llvm::enumerate(output)) {
    ResolvedDim &window = partition.dims.emplace_back().window;
    window = getIdentity(extent);
    window.output = values[d];
    if (d >= axis) {
      window.kernel = 0;
      partition.readsWholeOperands |= d < sizes.size() && sizes[d].size() > 1;
    }
  }
  setWeights(output, axis);
  partition.resultHasInputShape = true;
  return addParts(output, [](const PartitionDim &dim, PartDim &part) {
    part.input = part.result;
    part.windows = part.result;
    if (dim.window.kernel == 0)
      part.windows = {0, dim.window.output};
  });
}

LogicalResult Partitioner::run(WindowAttrsOpInterface op) {
  TensorType type = op.getWindowedType();
  if (failed(verifyKnown(type)))
    return failure();
  WindowAttrs window = op.getWindow();
  resolve(type.getShape(), window);
  auto extremum = dyn_cast<ExtremumGradOpInterface>(op.getOperation());
  if (extremum && extremum.getIndices())
    setWeights(type.getShape(), extremum.getNormalizedAxis());
  partition.resultHasInputShape = true;
  partition.hasExplicitPads = window.modes.isSame();
  return addParts(type.getShape(), [&](const PartitionDim &dim, PartDim &part) {
    const ResolvedDim &whole = dim.window;
    auto [offset, size] = part.result;
    ResolvedGradTile tile =
        getGradTile({whole.kernel, whole.stride, whole.dilation}, whole.input,
                    whole.output, offset, size);
    part.input = {tile.inputOffset, tile.inputSize};
    part.windows = {tile.firstWindow, tile.numWindows};
    part.padBegin = whole.padBegin;
    part.padEnd = whole.padEnd;
    // getExplicitPads fails only if padding counts, so it does not fail here.
    if (partition.hasExplicitPads)
      std::tie(part.padBegin, part.padEnd) =
          *getExplicitPads(whole, /*countsPadding=*/false);
  });
}

FailureOr<Partition> Partitioner::run() {
  LogicalResult result =
      TypeSwitch<Operation *, LogicalResult>(op)
          .Case<WindowReduceOp, WindowOpInterface, MaxUnpoolOp,
                WindowAttrsOpInterface>([&](auto op) { return run(op); })
          .Default([](Operation *op) {
            return op->emitOpError("cannot be cut into parts: it has no window "
                                   "of fixed size");
          });
  if (failed(result))
    return failure();
  return std::move(partition);
}

FailureOr<Partition> pool::partition(Operation *op,
                                     ArrayRef<SmallVector<int64_t>> sizes) {
  return Partitioner(op, sizes).run();
}
