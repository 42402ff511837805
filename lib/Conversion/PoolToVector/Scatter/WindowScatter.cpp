// Loops over rows of windows whose indices are compared with the taps of their
// windows, once for each.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/WindowScatter.h"

#include "Emit/LaneMask.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"

using namespace mlir;
using namespace mlir::pool;

/// Rows of windows in the buffers.
static constexpr int64_t kNumRows = 2;

WindowScatter::WindowScatter(const ScatterEmitter &emitter,
                             const WindowShape &shape)
    : PlaneScatter(emitter, shape), indices(emitter.indices) {}

void pool::emitWindows(ScatterEmitter &emitter, PlanAttr) {
  std::string reason;
  WindowScatter(emitter, *WindowShape::get(emitter.problem, reason))
      .create(*emitter.scatter);
}

void WindowScatter::create(IndexedScatter &anyIndices) {
  // Small planes share buffers, whose allocation takes as long as one of them.
  int64_t numTogether = llvm::divideCeil(
      cost::kWindowsTogether, shape.row.output * shape.column.output);
  anyIndices.createParts(
      ArrayRef(memref::getMixedSizes(b, loc, target))
          .take_front(shape.numOuter),
      numTogether, [&] { allocateBuffers(); },
      [&](ValueRange outer) { return emitPlane(outer); });
}

//===----------------------------------------------------------------------===//
// Planes
//===----------------------------------------------------------------------===//

void WindowScatter::allocateBuffers() {
  SmallVector<MemRefType> types = {
      MemRefType::get({kNumRows, shape.getPitch()}, codeType.getElementType()),
      MemRefType::get({kNumRows, shape.getPitch()}, sumType.getElementType()),
      MemRefType::get({shape.getNumCarried(), shape.getNumGathered()},
                      sumType.getElementType())};
  SmallVector<Value> buffers = allocate(types);
  codes = buffers[0];
  elements = buffers[1];
  carried = buffers[2];

  // What vectors of strides reach, and windows do not write.
  createFor(at.constant(0), at.constant(kNumRows), 1,
            [&](Value place) { clearCodes(place); });
}

Value WindowScatter::emitPlane(ValueRange outer) {
  if (shape.getNumCarried() != 0)
    createFor(at.constant(0), at.constant(shape.getNumGathered()), length,
              [&](Value first) {
                storeCarried(
                    SmallVector<Value>(shape.getNumCarried(), getZeros()),
                    first);
              });
  Value planeBegin = getPlaneBegin(outer);
  Type indexType = cast<MemRefType>(indices.getType()).getElementType();
  Value none = arith::ConstantOp::create(b, loc, b.getZeroAttr(codeType));
  Largest largest{none, none,
                  arith::ConstantOp::create(
                      b, loc, b.getZeroAttr(codeType.clone(indexType)))};
  // A row of windows is coded a step before it is needed: what was just stored
  // cannot be loaded soon from another first column.
  largest = Largest::of(createFor(
      at.constant(0), at.constant(shape.getNumSteps() + 1), 1, largest.get(),
      [&](Value r, ValueRange carried) -> SmallVector<Value> {
        Largest result =
            codeRowIfThere(outer, planeBegin, r, Largest::of(carried));
        Value hasBefore = at.isAtLeast(r, at.constant(1));
        createIf(hasBefore, [&] { gatherRow(outer, at.sub(r, 1)); });
        return result.get();
      }));
  auto isBelow = [&](Value lanes, int64_t bound) -> Value {
    Value most = vector::ReductionOp::create(
        b, loc, vector::CombiningKind::MAXUI, lanes);
    Value limit = arith::ConstantOp::create(
        b, loc, b.getIntegerAttr(most.getType(), bound));
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, most,
                                 limit);
  };
  int64_t reach =
      shape.column.dilation == 1 ? WindowShape::getReach(shape.column) : 0;
  Value isInside =
      at.both(isBelow(largest.column, shape.column.input),
              isBelow(largest.position, shape.row.input * shape.column.input));
  return at.both(isInside, isBelow(largest.distance, reach + 1));
}

//===----------------------------------------------------------------------===//
// Codes
//===----------------------------------------------------------------------===//

void WindowScatter::clearCodes(Value place) {
  fillRow(codes, place, 0, shape.getPitch(), getSplat(kNone));
}

Value WindowScatter::getPlace(Value r) { return at.rem(r, kNumRows); }

WindowScatter::Largest WindowScatter::codeRowIfThere(ValueRange outer,
                                                     Value planeBegin, Value r,
                                                     Largest largest) {
  Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, r,
                                        at.constant(shape.row.output));
  auto branch = scf::IfOp::create(b, loc, ValueRange(largest.get()).getTypes(),
                                  isThere, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Largest result = codeRow(outer, planeBegin, r, largest);
  scf::YieldOp::create(b, loc, result.get());
  b.setInsertionPointToStart(branch.elseBlock());
  clearCodes(getPlace(r));
  scf::YieldOp::create(b, loc, largest.get());
  return Largest::of(branch.getResults());
}

WindowScatter::Largest WindowScatter::codeRow(ValueRange outer,
                                              Value planeBegin, Value r,
                                              Largest largest) {
  SmallVector<Value> position = getRowIndices(outer, r);
  Value rowBegin =
      at.mul(at.sub(at.mul(r, shape.row.stride), shape.row.padBegin),
             shape.column.input);
  auto emit = [&](Value column, int64_t numLanes, ValueRange carried) {
    position.back() = column;
    return codeVector(position, planeBegin, rowBegin, getPlace(r), numLanes,
                      Largest::of(carried))
        .get();
  };
  // The last of several vectors ends with the row: what another has coded too
  // it codes once more, which takes less than masks.
  int64_t numWindows = shape.column.output, rest = numWindows % length;
  if (numWindows < length || rest == 0)
    return Largest::of(forEachVector(numWindows, largest.get(), emit));
  SmallVector<Value> whole =
      forEachVector(numWindows - rest, largest.get(), emit);
  return Largest::of(emit(at.constant(numWindows - length), length, whole));
}

Value WindowScatter::getLarger(Value largest, Value lanes, Value mask) {
  Value larger = arith::MaxUIOp::create(b, loc, largest, lanes);
  return mask ? arith::SelectOp::create(b, loc, mask, larger, largest)
                    .getResult()
              : larger;
}

WindowScatter::Largest WindowScatter::codeVector(ArrayRef<Value> position,
                                                 Value planeBegin,
                                                 Value rowBegin, Value place,
                                                 int64_t numLanes,
                                                 Largest largest) {
  Value mask = getMask(numLanes), column = position.back();
  Value positions = loadLanes(b, loc, length, indices, position, mask, 0);
  auto indexType = cast<VectorType>(positions.getType());
  if (planeBegin) {
    Value begin = arith::IndexCastOp::create(b, loc, indexType.getElementType(),
                                             planeBegin);
    positions = arith::SubIOp::create(
        b, loc, positions,
        vector::BroadcastOp::create(b, loc, indexType, begin));
  }
  largest.position = getLarger(largest.position, positions, mask);
  if (indexType != codeType)
    positions = arith::TruncIOp::create(b, loc, codeType, positions);
  // The column is what is left of a distance from the window's first row.
  Value fromRow = arith::SubIOp::create(b, loc, positions, getSplat(rowBegin));
  auto getRest = [&](Value distance, int64_t numTaps, int64_t step) {
    Value rest = distance;
    for (int64_t tap = 1; tap < numTaps; ++tap)
      rest = arith::MinUIOp::create(
          b, loc, rest,
          arith::SubIOp::create(b, loc, distance, getSplat(tap * step)));
    return rest;
  };
  Value columns = getRest(fromRow, shape.row.kernel, shape.getDistance(1, 0));
  largest.column = getLarger(largest.column, columns, mask);
  SmallVector<int32_t> offsets;
  for (int64_t lane = 0; lane < length; ++lane)
    offsets.push_back(lane * shape.column.stride - shape.column.padBegin);
  Value windows = arith::AddIOp::create(
      b, loc, getSplat(at.mul(column, shape.column.stride)),
      arith::ConstantOp::create(b, loc, b.getI32VectorAttr(offsets)));
  Value distance = arith::SubIOp::create(b, loc, columns, windows);
  if (shape.column.dilation != 1)
    distance = getRest(distance, shape.column.kernel, shape.column.dilation);
  largest.distance = getLarger(largest.distance, distance, mask);
  Value code = arith::SubIOp::create(b, loc, fromRow, windows);
  if (mask)
    code = arith::SelectOp::create(b, loc, mask, code, getSplat(kNone));
  Value element = extendElement(
      b, loc, loadLanes(b, loc, length, source, position, mask, 0),
      sumType.getElementType());
  Value there = at.add(column, shape.getMargin());
  storeRow(code, codes, place, there);
  storeRow(element, elements, place, there);
  return largest;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void WindowScatter::gatherRow(ValueRange outer, Value r) {
  forEachStrip([&](Value first, int64_t numColumns) {
    gatherStrip(outer, r, first, numColumns);
  });
}

void WindowScatter::gatherStrip(ValueRange outer, Value r, Value first,
                                int64_t numColumns) {
  int64_t stride = shape.row.stride, numClasses = shape.column.stride;
  SmallVector<Value> sums(shape.getNumSums() * numClasses, getZeros());
  for (int64_t i = 0; i < shape.getNumCarried(); ++i)
    sums[i] = loadRow(carried, at.constant(i), first);
  addRow(getPlace(r), first, sums);
  for (int64_t i = 0; i < stride; ++i) {
    Value row = at.add(at.sub(at.mul(r, stride), shape.row.padBegin), i);
    // Before the first row or after the last there is none.
    Value isThere = b.createOrFold<arith::CmpIOp>(
        loc, arith::CmpIPredicate::ult, row, at.constant(shape.row.input));
    createIf(isThere, [&] {
      storeStrip(outer, row, first, numColumns,
                 ArrayRef(sums).slice(i * numClasses, numClasses));
    });
  }
  storeCarried(ArrayRef(sums).drop_front(stride * numClasses), first);
}

void WindowScatter::storeCarried(ArrayRef<Value> sums, Value first) {
  for (auto [i, sum] : llvm::enumerate(sums))
    storeRow(sum, carried, at.constant(i), first);
}

void WindowScatter::addRow(Value place, Value first,
                           MutableArrayRef<Value> sums) {
  int64_t numClasses = shape.column.stride;
  for (int64_t c = 0; c < numClasses; ++c)
    for (const WindowShape::Tap &tap : shape.classes[c]) {
      Value there = at.add(first, shape.getMargin() + tap.shift);
      Value code = loadRow(codes, place, there);
      Value element = loadRow(elements, place, there);
      for (int64_t t = 0; t < shape.row.kernel; ++t) {
        Value isNamed =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, code,
                                  getSplat(shape.getDistance(t, tap.tap)));
        Value &sum = sums[t * shape.row.dilation * numClasses + c];
        Value added = arith::AddFOp::create(b, loc, sum, element);
        sum = arith::SelectOp::create(b, loc, isNamed, added, sum);
      }
    }
}
