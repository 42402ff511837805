// State and helpers that all strategies for pool.window_reduce emit with.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reduce/WindowKernel.h"

#include "mlir/IR/TypeUtilities.h"
#include "pool/Conversion/PoolToLoops/PoolToLoops.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::pool;

WindowKernel::WindowKernel(OpBuilder &b, WindowReduceOp op,
                           const Problem &problem, Value input,
                           ArrayRef<ElementwiseChain> chains,
                           ArrayRef<Value> buffers)
    : at(b, op.getLoc()), op(op), problem(problem), input(input),
      chains(chains), buffers(buffers), reduction(problem.reduction) {
  WindowAttrs window = op.getWindow();
  SmallVector<Value> inputs = getInputShape(), outputs = getOutputShape();
  SmallVector<Value> pads = at.value(op.getMixedPadsBegin());
  for (auto [i, dim] : llvm::enumerate(problem.dims)) {
    unsigned d = window.getSpatialDim(i);
    dims.push_back({dim, inputs[d], outputs[d], pads[i]});
  }
}

bool WindowKernel::hasNarrowPositions() {
  SmallVector<OpFoldResult> weights = op.getMixedPositions();
  std::optional<int64_t> bound = getConstantIntValue(weights[0]);
  if (!bound)
    return false;
  for (auto [dim, weight] :
       llvm::zip_equal(problem.dims, ArrayRef(weights).drop_front())) {
    std::optional<int64_t> scale = getConstantIntValue(weight);
    if (!scale || !dim.knownOutput || !dim.knownPad)
      return false;
    int64_t reach, product;
    if (llvm::AddOverflow(dim.getSpan(*dim.knownOutput), *dim.knownPad,
                          reach) ||
        llvm::MulOverflow(reach, *scale, product) ||
        llvm::AddOverflow(*bound, product, *bound))
      return false;
  }
  return llvm::isInt<32>(*bound);
}

VectorType WindowKernel::getPositionType() {
  return VectorType::get(reduction.getLength(), hasNarrowPositions()
                                                    ? Type(at.getI32Type())
                                                    : at.getIndexType());
}

Value WindowKernel::getWidePositions(Value positions) {
  auto wide = cast<VectorType>(positions.getType()).clone(at.getI64Type());
  if (getElementTypeOrSelf(positions.getType()).isIndex())
    return at.castIndex(wide, positions);
  return arith::ExtSIOp::create(at, wide, positions);
}

/// Calls `body` for every output in `ranges`; `coordinates` has its
/// coordinates.
static void forEachOutput(KernelBuilder &at,
                          ArrayRef<WindowKernel::Range> ranges,
                          SmallVectorImpl<Value> &coordinates,
                          function_ref<void()> body) {
  if (ranges.empty())
    return body();
  auto [first, size] = ranges.front();
  auto enter = [&](Value coordinate) {
    coordinates.push_back(coordinate);
    forEachOutput(at, ranges.drop_front(), coordinates, body);
    coordinates.pop_back();
  };
  if (!size)
    return enter(first);
  at.forEach(at.index(0), size, 1,
             [&, first = first](Value i) { enter(at.add(first, i)); });
}

void WindowKernel::recompute(Value needsRecomputing, ArrayRef<Range> outputs) {
  Value any = vector::ReductionOp::create(at, vector::CombiningKind::OR,
                                          needsRecomputing);
  at.ifTrue(any, [&] {
    ElementPlace element;
    forEachOutput(at, outputs, element.coordinates, [&] {
      SmallVector<Value> results =
          reduceWindow(at, at.getLoc(), op, input, element.coordinates);
      for (auto [chain, buffer, value] :
           llvm::zip_equal(chains, buffers, results))
        chain.store(at, value, buffer, element, {});
    });
  });
}
