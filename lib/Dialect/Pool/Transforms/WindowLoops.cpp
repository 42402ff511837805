// Builds a loop nest over the taps of a window on buffers, tap by tap. The
// loops skip taps outside of the input, so that padding costs neither a buffer
// nor a comparison per element. A window at the beginning of a padded row:
//
//   position    -1   0   1   2   3
//   element      p   a   b   c   d
//   taps         -  [t1  t2]              the loop runs over taps 1 and 2
//
// If coordinates are clamped instead, the loop runs over all taps.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Transforms/WindowLoops.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/WindowBody.h"

using namespace mlir;
using namespace mlir::pool;

SmallVector<SymbolicDim> pool::getWindowDims(WindowReduceOp op,
                                             ArrayRef<OpFoldResult> shape) {
  WindowAttrs window = op.getWindow();
  SmallVector<SymbolicDim> dims;
  SmallVector<OpFoldResult> padsBegin = op.getMixedPadsBegin();
  SmallVector<OpFoldResult> padsEnd = op.getMixedPadsEnd();
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    WindowDim windowDim = window.getDim(i);
    SymbolicDim &dim = dims.emplace_back();
    dim.input = shape[window.getSpatialDim(i)];
    dim.padBegin = padsBegin[i];
    dim.padEnd = dim.coveredEnd = padsEnd[i];
    dim.kernel = windowDim.kernel;
    dim.stride = windowDim.stride;
    dim.dilation = windowDim.dilation;
    dim.mayOverhang = false;
  }
  return dims;
}

Value pool::createIsWholeWindow(ElementBuilder &b, WindowReduceOp op,
                                ArrayRef<SymbolicDim> dims,
                                function_ref<OpFoldResult(unsigned)> getCount) {
  Value isWhole;
  if (!isExtremum(op.getReduction()) || !isZero(op.getPadValue()))
    return isWhole;
  for (auto [i, dim] : llvm::enumerate(dims))
    if (mayCoverPadding(dim))
      isWhole = b.both(isWhole, b.isEqual(getCount(i), dim.kernel));
  return isWhole;
}

SmallVector<Value> pool::createWindowInits(ElementBuilder &b, WindowReduceOp op,
                                           Value isWhole) {
  ElementReduction reduction = op.getElementReduction();
  Value init = b.constant(getWindowIdentity(b, reduction));
  if (isWhole)
    init = b.select(isWhole, init, b.constant(getWindowPadding(b, reduction)));
  SmallVector<Value> inits = {init};
  if (op.hasPositions())
    inits.push_back(b.constant(b.getI64IntegerAttr(kNoPosition)));
  return inits;
}

/// Returns the position of the element at `coordinates`, as an element of the
/// second output.
static Value createPosition(ElementBuilder &b, WindowReduceOp op,
                            ValueRange coordinates) {
  WindowAttrs window = op.getWindow();
  SmallVector<OpFoldResult> positions = op.getMixedPositions();
  Value position = b.value(positions[0]);
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i)
    position = b.add(position, b.mul(coordinates[window.getSpatialDim(i)],
                                     positions[i + 1]));
  return b.castIndex(b.getI64Type(), position);
}

SmallVector<Value> pool::accumulateInWindow(ElementBuilder &b,
                                            WindowReduceOp op, Value stored,
                                            ValueRange coordinates,
                                            ValueRange accs) {
  ElementReduction reduction = op.getElementReduction();
  if (!op.hasPositions())
    return {accumulateElement(b, reduction, stored, accs[0])};
  Value element = castToSignless(b, b.getLoc(), stored);
  Value position = createPosition(b, op, coordinates);
  Value chosen = isChosen(b, reduction.getPreference(), element, position,
                          accs[0], accs[1]);
  return {b.select(chosen, element, accs[0]),
          b.select(chosen, position, accs[1])};
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

SmallVector<Value> pool::reduceWindow(ElementBuilder &b, WindowReduceOp op,
                                      Value input, ArrayRef<OpFoldResult> shape,
                                      ValueRange output, bool clamps) {
  WindowAttrs window = op.getWindow();
  SmallVector<SymbolicDim> dims = getWindowDims(op, shape);
  AffineBuilder a(b, b.getLoc());
  SmallVector<Value> begins, ends;
  SmallVector<OpFoldResult> counts;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    Value o = output[window.getSpatialDim(i)];
    OpFoldResult begin = a.known(0), count = a.known(dim.kernel);
    if (!clamps) {
      begin = getFirstValidTap(a, dim, o);
      count = getCount(a, dim, Divisor::Valid, o);
    }
    counts.push_back(count);
    begins.push_back(b.value(begin));
    ends.push_back(b.value(a.apply(a.symbol(0) + a.symbol(1), {begin, count})));
  }
  Value isWhole =
      createIsWholeWindow(b, op, dims, [&](unsigned i) { return counts[i]; });
  SmallVector<Value> steps(dims.size(), b.index(1));
  scf::LoopNest nest = scf::buildLoopNest(
      b, b.getLoc(), begins, ends, steps, createWindowInits(b, op, isWhole),
      [&](OpBuilder &nested, Location loc, ValueRange taps, ValueRange accs) {
        ElementBuilder b(nested, loc);
        SmallVector<Value> coordinates(output);
        for (auto [i, dim] : llvm::enumerate(dims)) {
          Value &coordinate = coordinates[window.getSpatialDim(i)];
          coordinate =
              b.value(pool::getPosition({b, loc}, dim, coordinate, taps[i]));
          if (!clamps || !mayCoverPadding(dim))
            continue;
          Value last = b.sub(dim.input, 1);
          coordinate = b.min(b.max(coordinate, 0), last);
        }
        Value stored = memref::LoadOp::create(b, input, coordinates);
        return accumulateInWindow(b, op, stored, coordinates, accs);
      });
  return SmallVector<Value>(nest.results);
}

/// Stores `results`, which have signless types, at the coordinates `output` of
/// the outputs of `op`.
static void storeWindow(ElementBuilder &b, WindowReduceOp op,
                        ValueRange results, ValueRange output) {
  for (auto [value, out] : llvm::zip_equal(results, op.getOuts())) {
    Type type = cast<MemRefType>(out.getType()).getElementType();
    memref::StoreOp::create(b, castFromSignless(b, b.getLoc(), value, type),
                            out, output);
  }
}

void pool::createWindowLoops(
    OpBuilder &outer, WindowReduceOp op,
    function_ref<SmallVector<Value>(ElementBuilder &b, ValueRange output)>
        reduce) {
  ElementBuilder b(outer, op.getLoc());
  SmallVector<Value> upper =
      b.value(memref::getMixedSizes(b, b.getLoc(), op.getOuts()[0]));
  SmallVector<Value> lower(upper.size(), b.index(0));
  SmallVector<Value> steps(upper.size(), b.index(1));
  auto loops = scf::ParallelOp::create(b, lower, upper, steps);

  // Build the body after the loop, not in a callback. Affine ops fold when they
  // are created, and folding requires that the loops around them are in the IR.
  b.setInsertionPointToStart(loops.getBody());
  SmallVector<Value> output(loops.getInductionVars());
  storeWindow(b, op, reduce(b, output), output);
}

LogicalResult pool::createWindow(OpBuilder &outer, Location loc,
                                 WindowReduceOp op, ValueRange output) {
  if (!op.hasPureBufferSemantics())
    return op.emitOpError("has loops on buffers only");
  ElementBuilder b(outer, loc);
  SmallVector<OpFoldResult> shape =
      memref::getMixedSizes(b, loc, op.getInput());
  storeWindow(b, op, reduceWindow(b, op, op.getInput(), shape, output), output);
  return success();
}
