// Positions of windows in one dimension.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/LoopDim.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pool;

LoopDim LoopDim::getSingle(IndexArithmetic &at) {
  LoopDim dim;
  dim.input = dim.output = at.constant(1);
  dim.padBegin = at.constant(0);
  return dim;
}

Value LoopDim::getStart(IndexArithmetic &at, Value o) const {
  return at.sub(at.mul(o, stride), padBegin);
}

Value LoopDim::getFirstInterior(IndexArithmetic &at) const {
  return at.ceilDiv(padBegin, stride);
}

Value LoopDim::getInteriorEnd(IndexArithmetic &at) const {
  Value reach = at.sub(at.add(input, padBegin), getExtent());
  return at.max(at.add(at.floorDiv(at.max(reach, -1), stride), 1), 0);
}

std::pair<Value, Value> LoopDim::getValidTaps(IndexArithmetic &at,
                                              Value start) const {
  if (!coversPadding)
    return {at.constant(0), at.constant(kernel)};
  auto getNumTapsBefore = [&](Value position) {
    Value distance = at.max(at.sub(position, start), 0);
    return at.min(at.ceilDiv(distance, dilation), kernel);
  };
  return {getNumTapsBefore(at.constant(0)), getNumTapsBefore(input)};
}

Value LoopDim::contains(IndexArithmetic &at, Value start, int64_t span) const {
  return at.both(at.isAtLeast(start, at.constant(0)),
                 at.isAtLeast(at.sub(input, span), start));
}

Value LoopDim::clampToWindow(IndexArithmetic &at, Value position) const {
  if (dilation == 1)
    return clampToInput(at, position);
  // By whole dilations.
  Value before = at.max(at.sub(at.constant(0), position), 0);
  Value after = at.max(at.sub(position, at.sub(input, 1)), 0);
  position = at.add(position, at.mul(at.ceilDiv(before, dilation), dilation));
  return at.sub(position, at.mul(at.ceilDiv(after, dilation), dilation));
}

Value LoopDim::clampToInput(IndexArithmetic &at, Value position) const {
  return at.min(at.max(position, 0), at.sub(input, 1));
}

void TapRanges::addAll(IndexArithmetic &at, const LoopDim &dim) {
  begins.push_back(at.constant(0));
  ends.push_back(at.constant(dim.kernel));
}

void TapRanges::addValid(IndexArithmetic &at, const LoopDim &dim, Value start) {
  auto [begin, end] = dim.getValidTaps(at, start);
  begins.push_back(begin);
  ends.push_back(end);
  if (dim.coversPadding)
    isInside = at.both(
        isInside, at.isAtLeast(at.sub(end, begin), at.constant(dim.kernel)));
}

Value pool::getNumUnlessEmpty(IndexArithmetic &at, OpBuilder &b, Location loc,
                              ArrayRef<LoopDim> dims, Value count) {
  Value isThere;
  for (const LoopDim &dim : dims) {
    auto requireSome = [&](Value extent, std::optional<int64_t> known) {
      if (known)
        return;
      Value hasSome = at.isAtLeast(extent, at.constant(1));
      isThere = at.both(isThere, hasSome);
    };
    requireSome(dim.input, dim.knownInput);
    requireSome(dim.output, dim.knownOutput);
  }
  return isThere ? b.createOrFold<arith::SelectOp>(loc, isThere, count,
                                                   at.constant(0))
                 : count;
}

void pool::emitInteriorAndBorder(OpBuilder &b, Location loc, Value isInterior,
                                 function_ref<void(bool isInterior)> emit) {
  auto branch = scf::IfOp::create(b, loc, isInterior, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  emit(/*isInterior=*/true);
  b.setInsertionPointToStart(branch.elseBlock());
  emit(/*isInterior=*/false);
}
