// Loops over rows of elements that gather from windows with strides: rows of
// windows are added, and shuffles spread the sums over the elements of a
// stride.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StridedGather.h"

#include "ElementwiseChain.h"
#include "LaneMask.h"
#include "WindowDim.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pool;

/// A stride is as many vectors, each of them a shuffle for every window that
/// covers an element.
static constexpr int64_t kMaxStride = 8;
static constexpr int64_t kMaxCovering = 4;

bool StridedGather::hasLanes(const GatheredDim &dim) {
  return dim.stride <= kMaxStride && dim.getNumCovering() <= kMaxCovering;
}

StridedGather::StridedGather(OpBuilder &b, Location loc, int64_t vectorBits,
                             Value source, Value target,
                             ArrayRef<GatheredDim> dims)
    : b(b), loc(loc), at(b, loc), source(source), target(target), dims(dims) {
  Type element = cast<MemRefType>(target.getType()).getElementType();
  length = std::max<int64_t>(vectorBits / element.getIntOrFloatBitWidth(), 2);
  type = VectorType::get(length, element);
  zeros = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
}

Value StridedGather::getMask(Value first, Value extent) {
  return createLaneMask(b, loc, length, at.sub(at.constant(0), first),
                        at.sub(extent, first));
}

std::pair<Value, Value> StridedGather::getCovering(const GatheredDim &dim,
                                                   Value i) {
  Value padded = at.add(i, dim.padBegin);
  Value first = at.max(at.sub(padded, dim.kernel - 1), 0);
  Value end = at.add(at.floorDiv(padded, dim.stride), 1);
  return {at.ceilDiv(first, dim.stride), at.min(end, dim.numWindows)};
}

Value StridedGather::load(ValueRange position, bool isInterior) {
  if (isInterior)
    return vector::LoadOp::create(b, loc, type, source, position);
  Value mask = getMask(position.back(), dims.back().numWindows);
  return vector::MaskedLoadOp::create(b, loc, type, source, position, mask,
                                      zeros);
}

SmallVector<Value> StridedGather::sumRows(ValueRange row, Value first,
                                          bool isInterior) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> position(row);
  SmallVector<Value> sums(dims.back().getNumCovering(), zeros);
  SmallVector<scf::ForOp> loops;
  for (auto [d, dim] : llvm::enumerate(ArrayRef(dims).drop_back())) {
    if (!dim.padBegin)
      continue;
    auto [begin, end] = getCovering(dim, row[d]);
    auto loop = scf::ForOp::create(b, loc, begin, end, at.constant(1), sums);
    loops.push_back(loop);
    position[d] = loop.getInductionVar();
    sums.assign(loop.getRegionIterArgs().begin(),
                loop.getRegionIterArgs().end());
    b.setInsertionPointToStart(loop.getBody());
  }
  position.emplace_back();
  for (auto [before, sum] : llvm::enumerate(sums)) {
    position.back() = at.sub(first, before);
    sum = arith::AddFOp::create(b, loc, sum, load(position, isInterior));
  }
  for (scf::ForOp loop : llvm::reverse(loops)) {
    b.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(b, loc, sums);
    sums.assign(loop.getResults().begin(), loop.getResults().end());
  }
  return sums;
}

void StridedGather::emitStrip(ValueRange row, Value first, bool isInterior) {
  const GatheredDim &lanes = dims.back();
  SmallVector<Value> sums = sumRows(row, first, isInterior);
  for (int64_t v = 0; v < lanes.stride; ++v) {
    Value result;
    for (auto [before, sum] : llvm::enumerate(sums)) {
      SmallVector<int64_t> windows;
      for (int64_t lane = v * length; lane < (v + 1) * length; ++lane) {
        int64_t tap = lane % lanes.stride + before * lanes.stride;
        windows.push_back(tap < lanes.kernel ? lane / lanes.stride : length);
      }
      Value part = b.createOrFold<vector::ShuffleOp>(loc, sum, zeros, windows);
      result = result ? arith::AddFOp::create(b, loc, result, part).getResult()
                      : part;
    }
    SmallVector<Value> place(row);
    Value begin = at.sub(at.mul(first, lanes.stride), lanes.padBegin);
    place.push_back(at.add(begin, v * length));
    Value mask;
    if (!isInterior)
      mask = getMask(place.back(), lanes.extent);
    storeLanes(b, loc, result, target, place, mask);
  }
}

void StridedGather::create() {
  const GatheredDim &lanes = dims.back();
  SmallVector<Value> upper;
  for (const GatheredDim &dim : ArrayRef(dims).drop_back())
    upper.push_back(dim.extent);
  SmallVector<Value> lower(upper.size(), at.constant(0));
  SmallVector<Value> steps(upper.size(), at.constant(1));
  auto rows = scf::ParallelOp::create(b, loc, lower, upper, steps);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(rows.getBody());

  // As many strides as elements take, whether or not windows begin there.
  Value numStrides =
      at.ceilDiv(at.add(lanes.extent, lanes.padBegin), lanes.stride);
  auto strips = scf::ForOp::create(b, loc, at.constant(0), numStrides,
                                   at.constant(length));
  b.setInsertionPointToStart(strips.getBody());
  Value first = strips.getInductionVar();
  Value begin = at.sub(at.mul(first, lanes.stride), lanes.padBegin);
  Value hasWindows =
      at.both(at.isAtLeast(first, at.constant(lanes.getNumCovering() - 1)),
              at.isAtLeast(lanes.numWindows, at.add(first, length)));
  Value hasElements =
      at.both(at.isAtLeast(begin, at.constant(0)),
              at.isAtLeast(lanes.extent, at.add(begin, length * lanes.stride)));
  SmallVector<Value> row(rows.getInductionVars());
  emitInteriorAndBorder(
      b, loc, at.both(hasWindows, hasElements),
      [&](bool isInterior) { emitStrip(row, first, isInterior); });
}
