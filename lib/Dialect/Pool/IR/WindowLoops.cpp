// Builds the loops over windows on buffers, and their parts. Unless coordinates
// are clamped, the loops skip taps outside of the input, so that padding costs
// neither a buffer nor a comparison per element.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/IR/WindowLoops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"
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

Value pool::createIsWholeWindow(OpBuilder &b, Location loc, WindowReduceOp op,
                                ArrayRef<SymbolicDim> dims,
                                function_ref<OpFoldResult(unsigned)> getCount) {
  Value isWhole;
  if (!isExtremum(op.getReduction()) || !isZero(op.getPadValue()))
    return isWhole;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (!mayCoverPadding(dim))
      continue;
    Value all = arith::CmpIOp::create(
        b, loc, arith::CmpIPredicate::eq,
        getValueOrCreateConstantIndexOp(b, loc, getCount(i)),
        arith::ConstantIndexOp::create(b, loc, dim.kernel));
    isWhole = isWhole ? arith::AndIOp::create(b, loc, isWhole, all) : all;
  }
  return isWhole;
}

SmallVector<Value> pool::createWindowInits(OpBuilder &b, Location loc,
                                           WindowReduceOp op, Value isWhole) {
  Value init = arith::ConstantOp::create(
      b, loc, getWindowIdentity(b, op.getElementReduction()));
  if (isWhole) {
    Value padding = arith::ConstantOp::create(
        b, loc, getWindowPadding(b, op.getElementReduction()));
    init = arith::SelectOp::create(b, loc, isWhole, init, padding);
  }
  SmallVector<Value> inits = {init};
  if (op.hasPositions())
    inits.push_back(
        arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(kNoPosition)));
  return inits;
}

/// Returns the position of the element at `coordinates`, as an element of the
/// second output.
static Value createPosition(OpBuilder &b, Location loc, WindowReduceOp op,
                            ValueRange coordinates) {
  WindowAttrs window = op.getWindow();
  SmallVector<OpFoldResult> positions = op.getMixedPositions();
  Value position = getValueOrCreateConstantIndexOp(b, loc, positions[0]);
  for (unsigned i = 0; i < window.getNumSpatialDims(); ++i) {
    Value offset = b.createOrFold<arith::MulIOp>(
        loc, coordinates[window.getSpatialDim(i)],
        getValueOrCreateConstantIndexOp(b, loc, positions[i + 1]));
    position = b.createOrFold<arith::AddIOp>(loc, position, offset);
  }
  return arith::IndexCastOp::create(b, loc, b.getI64Type(), position);
}

SmallVector<Value> pool::accumulateInWindow(OpBuilder &b, Location loc,
                                            WindowReduceOp op, Value stored,
                                            ValueRange coordinates,
                                            ValueRange accs) {
  if (!op.hasPositions())
    return {
        accumulateElement(b, loc, op.getElementReduction(), stored, accs[0])};
  Value element = castToSignless(b, loc, stored);
  Value position = createPosition(b, loc, op, coordinates);
  Value chosen = isChosen(b, loc, op.getElementReduction().getPreference(),
                          element, position, accs[0], accs[1]);
  return {arith::SelectOp::create(b, loc, chosen, element, accs[0]),
          arith::SelectOp::create(b, loc, chosen, position, accs[1])};
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

static Value getIndex(OpBuilder &b, Location loc, OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(b, loc, value);
}
static Value getIndex(OpBuilder &b, Location loc, int64_t value) {
  return getIndex(b, loc, b.getIndexAttr(value));
}

SmallVector<Value> pool::reduceWindow(OpBuilder &b, Location loc,
                                      WindowReduceOp op, Value input,
                                      ArrayRef<OpFoldResult> shape,
                                      ValueRange output, bool clamps) {
  WindowAttrs window = op.getWindow();
  SmallVector<SymbolicDim> dims = getWindowDims(op, shape);
  SmallVector<Value> begins, ends;
  SmallVector<OpFoldResult> counts;
  AffineExpr sum = b.getAffineSymbolExpr(0) + b.getAffineSymbolExpr(1);
  for (auto [i, dim] : llvm::enumerate(dims)) {
    Value o = output[window.getSpatialDim(i)];
    OpFoldResult begin = b.getIndexAttr(0), count = b.getIndexAttr(dim.kernel);
    if (!clamps) {
      begin = getFirstValidTap({b, loc}, dim, o);
      count = getCount({b, loc}, dim, Divisor::Valid, o);
    }
    counts.push_back(count);
    begins.push_back(getIndex(b, loc, begin));
    ends.push_back(getIndex(
        b, loc,
        affine::makeComposedFoldedAffineApply(b, loc, sum, {begin, count})));
  }
  Value isWhole = createIsWholeWindow(b, loc, op, dims,
                                      [&](unsigned i) { return counts[i]; });
  SmallVector<Value> steps(dims.size(), getIndex(b, loc, 1));
  scf::LoopNest nest = scf::buildLoopNest(
      b, loc, begins, ends, steps, createWindowInits(b, loc, op, isWhole),
      [&](OpBuilder &b, Location loc, ValueRange taps,
          ValueRange accs) -> scf::ValueVector {
        SmallVector<Value> coordinates(output);
        for (auto [i, dim] : llvm::enumerate(dims)) {
          Value &coordinate = coordinates[window.getSpatialDim(i)];
          coordinate = getIndex(
              b, loc, pool::getPosition({b, loc}, dim, coordinate, taps[i]));
          if (!clamps || !mayCoverPadding(dim))
            continue;
          Value last = b.createOrFold<arith::SubIOp>(
              loc, getIndex(b, loc, dim.input), getIndex(b, loc, 1));
          coordinate =
              arith::MaxSIOp::create(b, loc, coordinate, getIndex(b, loc, 0));
          coordinate = arith::MinSIOp::create(b, loc, coordinate, last);
        }
        Value stored = memref::LoadOp::create(b, loc, input, coordinates);
        return accumulateInWindow(b, loc, op, stored, coordinates, accs);
      });
  return SmallVector<Value>(nest.results);
}

/// Stores `results`, of signless types, at `output` of the outputs of `op`.
static void storeWindow(OpBuilder &b, Location loc, WindowReduceOp op,
                        ValueRange results, ValueRange output) {
  for (auto [value, out] : llvm::zip_equal(results, op.getOuts())) {
    Type type = cast<MemRefType>(out.getType()).getElementType();
    memref::StoreOp::create(b, loc, castFromSignless(b, loc, value, type), out,
                            output);
  }
}

void pool::createWindowLoops(
    OpBuilder &b, WindowReduceOp op,
    function_ref<SmallVector<Value>(OpBuilder &, Location, ValueRange output)>
        reduce) {
  Location loc = op.getLoc();
  SmallVector<Value> upper = getValueOrCreateConstantIndexOp(
      b, loc, memref::getMixedSizes(b, loc, op.getOuts()[0]));
  SmallVector<Value> lower(upper.size(), getIndex(b, loc, 0));
  SmallVector<Value> steps(upper.size(), getIndex(b, loc, 1));
  auto loops = scf::ParallelOp::create(b, loc, lower, upper, steps);

  // Do not build the body in a callback: affine ops fold when they are created,
  // which requires that the loops of their operands are already in the IR.
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loops.getBody());
  SmallVector<Value> output(loops.getInductionVars());
  storeWindow(b, loc, op, reduce(b, loc, output), output);
}

LogicalResult WindowReduceOp::generateScalarImplementation(OpBuilder &b,
                                                           Location loc,
                                                           ValueRange output) {
  if (!hasPureBufferSemantics())
    return emitOpError("has loops on buffers only");
  SmallVector<OpFoldResult> shape = memref::getMixedSizes(b, loc, getInput());
  storeWindow(b, loc, *this,
              reduceWindow(b, loc, *this, getInput(), shape, output), output);
  return success();
}
