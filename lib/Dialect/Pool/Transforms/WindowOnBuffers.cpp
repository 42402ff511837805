// Builds the accumulators of windows on buffers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Transforms/WindowOnBuffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "pool/Dialect/Pool/Transforms/WindowBody.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"
#include "pool/Dialect/Pool/Utils/Reductions.h"

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
  Value init = arith::ConstantOp::create(b, loc, getWindowIdentity(b, op));
  if (isWhole) {
    Value padding = arith::ConstantOp::create(b, loc, getWindowPadding(b, op));
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
    return {accumulateElement(b, loc, op, stored, accs[0])};
  Value element = castToSignless(b, loc, stored);
  Value position = createPosition(b, loc, op, coordinates);
  Value chosen = isChosen(b, loc, ElementReduction(op).getPreference(), element,
                          position, accs[0], accs[1]);
  return {arith::SelectOp::create(b, loc, chosen, element, accs[0]),
          arith::SelectOp::create(b, loc, chosen, position, accs[1])};
}
