// Implements WindowKernel, which all strategies for pool.window_reduce use to
// emit extents, positions and stores of results.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reduce/WindowStrategy.h"

using namespace mlir;
using namespace mlir::pool;

WindowKernel::WindowKernel(OpBuilder &builder, WindowReduceOp op,
                           const Problem &problem, Value input,
                           ArrayRef<ElementwiseChain> chains,
                           ArrayRef<Value> buffers)
    : b(builder, op.getLoc(), problem.target), op(op), problem(problem),
      input(input), chains(chains), buffers(buffers),
      reduction(problem.reduction) {
  WindowAttrs window = op.getWindow();
  SmallVector<Value> inputs = getInputShape(), outputs = getOutputShape();
  SmallVector<Value> pads = b.value(op.getMixedPadsBegin());
  for (auto [i, dim] : llvm::enumerate(problem.dims)) {
    unsigned d = window.getSpatialDim(i);
    dims.push_back({dim, inputs[d], outputs[d], pads[i]});
  }
}

bool WindowKernel::hasNarrowPositions() {
  SmallVector<OpFoldResult> weights = op.getMixedPositions();
  std::optional<int64_t> first = getConstantIntValue(weights[0]);
  if (!first)
    return false;
  // Compute with floats, which cannot overflow, and are exact up to 53 bits.
  double bound = std::abs(double(*first));
  for (auto [dim, weight] :
       llvm::zip_equal(problem.dims, ArrayRef(weights).drop_front())) {
    std::optional<int64_t> scale = getConstantIntValue(weight);
    if (!scale || !dim.knownOutput || !dim.knownPad)
      return false;
    double reach = dim.getSpan(*dim.knownOutput);
    bound += (reach + *dim.knownPad) * std::abs(double(*scale));
  }
  return bound <= std::numeric_limits<int32_t>::max();
}

VectorType WindowKernel::getPositionType() {
  return VectorType::get(reduction.getLength(), hasNarrowPositions()
                                                    ? Type(b.getI32Type())
                                                    : b.getIndexType());
}

SmallVector<Value> WindowKernel::getUpper(unsigned numDims) {
  SmallVector<Value> upper = getOutputShape();
  upper.truncate(numDims);
  Value isThere;
  for (const LoopDim &dim : dims) {
    if (!dim.knownInput)
      isThere = b.both(isThere, b.isAtLeast(dim.input, 1));
    if (!dim.knownOutput)
      isThere = b.both(isThere, b.isAtLeast(dim.output, 1));
  }
  upper.front() = b.select(isThere, upper.front(), 0);
  return upper;
}

Value WindowKernel::getPositions(ArrayRef<Value> first, int64_t length,
                                 int64_t step) {
  SmallVector<Value> weights = b.value(op.getMixedPositions());
  Value position = weights[0];
  for (auto [coordinate, weight] :
       llvm::zip_equal(first, ArrayRef(weights).drop_front()))
    position = b.add(position, b.mul(coordinate, weight));
  auto type = VectorType::get(length, b.getIndexType());
  Value steps = vector::StepOp::create(b, type);
  return b.add(position, b.mul(steps, b.mul(weights.back(), step)));
}

Value WindowKernel::decodeArgmax(Value argmax, ArrayRef<Value> starts,
                                 ArrayRef<int64_t> numBits,
                                 function_ref<bool(unsigned)> mayPrecede) {
  VectorType type = getPositionType();
  SmallVector<Value> weights = b.value(op.getMixedPositions());
  Value first = weights[0], rest = b.castIndex(type, argmax), sum;
  for (unsigned d = dims.size(); d-- > 0;) {
    first = b.add(first, b.mul(starts[d], weights[1 + d]));
    Value distance = rest;
    if (d > 0) {
      distance = b.both(rest, b.splat(type, (int64_t(1) << numBits[d]) - 1));
      rest = b.createOrFold<arith::ShRUIOp>(rest, b.splat(type, numBits[d]));
    }
    if (mayPrecede && dims[d].coversPadding && mayPrecede(d)) {
      // If the distance names a tap before the input, increase it by multiples
      // of the dilation, up to the window's first tap inside the input.
      int64_t dilation = dims[d].dilation;
      Value inside = b.max(distance, b.max(b.sub(0, starts[d]), 0));
      Value before = b.ceilDiv(b.sub(inside, distance), dilation);
      distance = b.add(distance, b.mul(before, dilation));
    }
    distance = b.mul(distance, weights[1 + d]);
    sum = sum ? b.add(sum, distance) : distance;
  }
  return b.add(sum, first);
}

void WindowKernel::store(const LaneReduction &reduction, Accumulator lanes,
                         ArrayRef<Value> coordinates, const LaneRange &existing,
                         const ElementFacts &facts) {
  SmallVector<Value> results = {reduction.finish(b, lanes)};
  if (reduction.hasPositions()) {
    VectorType wide = reduction.getType().clone(b.getI64Type());
    bool isNarrow = getElementTypeOrSelf(lanes.index).isInteger(32);
    results.push_back(isNarrow ? arith::ExtSIOp::create(b, wide, lanes.index)
                               : b.castIndex(wide, lanes.index));
  }
  ElementPlace place(coordinates, reduction.getLength(), existing);
  for (auto [i, value] : llvm::enumerate(results)) {
    if (!alignments.empty())
      place.streamAlignment = alignments[i];
    chains[i].store(b, value, buffers[i], place, facts);
  }
}

ElementFacts WindowKernel::getFacts(function_ref<bool(unsigned)> isInside) {
  ElementFacts facts;
  facts.countCoordinates.resize(getRank());
  unsigned first = op.getWindow().getSpatialDim(0);
  for (auto [i, dim] : llvm::enumerate(dims))
    if (!isInside || isInside(i))
      facts.countCoordinates[first + i] = dim.getFirstInterior(b);
  return facts;
}
