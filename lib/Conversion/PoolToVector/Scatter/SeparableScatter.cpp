// Loops over the rows of a plane, there and back.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Scatter/SeparableScatter.h"

#include "Emit/LaneMask.h"
#include "Emit/ParallelLoops.h"
#include "Plan/CostModel.h"
#include "Scatter/IndexedScatter.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"

using namespace mlir;
using namespace mlir::pool;

/// A row is copied while the one before is reduced.
static constexpr int64_t kNumCopies = 2;

void pool::emitSeparable(ScatterEmitter &emitter, PlanAttr) {
  std::string reason;
  SeparableScatter(emitter, *WindowShape::get(emitter.problem, reason))
      .create();
}

SeparableScatter::SeparableScatter(const ScatterEmitter &emitter,
                                   const WindowShape &shape)
    : PlaneScatter(emitter, shape), input(emitter.input),
      choice(emitter.problem.choice->withLength(length)),
      preference(*emitter.problem.preference),
      vectorBits(emitter.problem.target.vectorBits) {}

int64_t SeparableScatter::getNumReached() const {
  return (shape.row.output - 1) * shape.row.stride +
         WindowShape::getReach(shape.row) + 1;
}

int64_t SeparableScatter::getNumPlaces() const {
  // Those of a step, and those that are stored in it. By a power of two
  // remainders are cheap.
  return llvm::PowerOf2Ceil(WindowShape::getReach(shape.row) + 1 +
                            shape.row.stride);
}

bool SeparableScatter::addsToEachNewRow() const {
  return shape.row.dilation == 1 && shape.row.stride <= shape.row.kernel;
}

int64_t SeparableScatter::getCopyMargin() const {
  return llvm::alignTo(shape.column.padBegin, length) - shape.column.padBegin;
}

int64_t SeparableScatter::getNumTapVectors() const {
  // The last lane is in the vector that the last stride begins in.
  return (length - 1) * shape.column.stride / length + 1;
}

void SeparableScatter::create() {
  int64_t numTogether = llvm::divideCeil(
      cost::kWindowsTogether, shape.row.output * shape.column.output);
  auto extents = llvm::to_vector(ArrayRef(memref::getMixedSizes(b, loc, target))
                                     .take_front(shape.numOuter));
  auto emit = [&](ValueRange outer) { return emitPlane(outer); };
  if (preference.nanMode == NanMode::Propagate)
    return forEachTogether(
        b, loc, getValueOrCreateConstantIndexOp(b, loc, extents), numTogether,
        [&] { allocateBuffers(); }, [&](ValueRange outer) { emit(outer); });
  IndexedScatter byWindow(
      b, loc, axis, vectorBits, source,
      [&](OpBuilder &, Location, ValueRange position) {
        return chooseElement(position);
      },
      target, sumType.getElementType());
  byWindow.createParts(extents, numTogether, [&] { allocateBuffers(); }, emit);
}

void SeparableScatter::allocateBuffers() {
  const ResolvedDim &column = shape.column;
  Type element = choice.getType().getElementType();
  int64_t numPlaces = getNumPlaces(), pitch = shape.getPitch();
  // As far as vectors of windows load.
  int64_t read = (shape.getNumWritten() - length) * column.stride +
                 WindowShape::getReach(column) + getNumTapVectors() * length;
  int64_t copyPitch = llvm::alignTo(
      getCopyMargin() + std::max(read, column.padBegin + column.input), length);
  SmallVector<Value> buffers = allocate(
      {MemRefType::get({kNumCopies, copyPitch}, element),
       MemRefType::get({numPlaces, pitch}, element),
       MemRefType::get({numPlaces, pitch}, sumType.getElementType()),
       MemRefType::get({numPlaces, pitch}, codeType.getElementType())});
  copies = buffers[0];
  values = buffers[1];
  gradients = buffers[2];
  taps = buffers[3];

  createFor(at.constant(0), at.constant(kNumCopies), 1, [&](Value place) {
    fillRow(copies, place, 0, copyPitch, choice.getFill(b, loc));
  });
  createFor(at.constant(0), at.constant(numPlaces), 1, [&](Value place) {
    fillRow(gradients, place, 0, pitch, getZeros());
    fillRow(taps, place, 0, pitch, getSplat(kNone));
  });
}

Value SeparableScatter::getPlace(Value row) {
  return at.rem(row, getNumPlaces());
}

std::pair<Value, Value> SeparableScatter::getInside(Value row) {
  Value inside = at.sub(row, shape.row.padBegin);
  return {b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ult, inside,
                                        at.constant(shape.row.input)),
          inside};
}

Value SeparableScatter::emitPlane(ValueRange outer) {
  int64_t stride = shape.row.stride, numReached = getNumReached();
  int64_t reach = WindowShape::getReach(shape.row);
  copyRow(outer, at.constant(0));
  // The others of the first step, which are all new.
  if (addsToEachNewRow())
    createFor(at.constant(0), at.constant(reach + 1 - stride), 1,
              [&](Value row) {
                int64_t margin = shape.getMargin();
                fillRow(gradients, row, margin, margin + shape.getNumWritten(),
                        getZeros());
              });
  SmallVector<Value> suspects;
  if (preference.nanMode == NanMode::Ignore)
    suspects.push_back(createLaneMask(b, loc, length, 0, 0));
  suspects = createFor(
      at.constant(0), at.constant(shape.getNumSteps() + 1), 1, suspects,
      [&](Value r, ValueRange before) {
        SmallVector<Value> suspects = chooseRowIfThere(outer, r, before);
        // The step before is done with these.
        Value first = at.mul(r, stride);
        createFor(at.sub(first, stride), first, 1, [&](Value row) {
          auto [isInside, inside] = getInside(row);
          createIf(isInside, [&, inside = inside] {
            if (shape.row.padBegin + shape.row.input <= numReached)
              return gatherRow(outer, row);
            Value isReached = b.createOrFold<arith::CmpIOp>(
                loc, arith::CmpIPredicate::ult, row, at.constant(numReached));
            createIf(isReached, [&] { gatherRow(outer, row); });
            Value isBeyond = at.isAtLeast(row, at.constant(numReached));
            createIf(isBeyond, [&] {
              storeTarget(outer, inside, [&](Value) {
                return SmallVector<Value>(shape.column.stride, getZeros());
              });
            });
          });
        });
        return suspects;
      });
  if (suspects.empty())
    return {};
  Value any = vector::ReductionOp::create(b, loc, vector::CombiningKind::OR,
                                          suspects[0]);
  return arith::XOrIOp::create(
      b, loc, any, arith::ConstantIntOp::create(b, loc, 1, /*width=*/1));
}

SmallVector<Value> SeparableScatter::chooseRowIfThere(ValueRange outer, Value r,
                                                      ValueRange suspects) {
  int64_t stride = shape.row.stride;
  int64_t reach = WindowShape::getReach(shape.row);
  Value isThere = b.createOrFold<arith::CmpIOp>(
      loc, arith::CmpIPredicate::ult, r, at.constant(shape.row.output));
  auto branch = scf::IfOp::create(b, loc, suspects.getTypes(), isThere,
                                  /*withElseRegion=*/!suspects.empty());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  // Those of the first step are all that its windows reach over.
  Value first = at.mul(r, stride);
  Value isLater = at.isAtLeast(r, at.constant(1));
  Value begin = b.createOrFold<arith::SelectOp>(
      loc, isLater, at.add(first, reach + 1 - stride), at.constant(0));
  createFor(begin, at.add(first, reach + 1), 1, [&](Value row) {
    copyRow(outer, at.add(row, 1));
    reduceRow(row);
  });
  SmallVector<Value> results = scatterRow(outer, r, suspects);
  if (!suspects.empty()) {
    scf::YieldOp::create(b, loc, results);
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loc, suspects);
  }
  return llvm::to_vector_of<Value>(branch.getResults());
}

//===----------------------------------------------------------------------===//
// There
//===----------------------------------------------------------------------===//

void SeparableScatter::copyRow(ValueRange outer, Value row) {
  auto [isInside, inside] = getInside(row);
  createIf(isInside, [&, inside = inside] {
    SmallVector<Value> position = getRowIndices(outer, inside);
    Value place = at.rem(row, kNumCopies);
    int64_t margin = getCopyMargin() + shape.column.padBegin;
    forEachVector(shape.column.input, [&](Value column, int64_t numLanes) {
      position.back() = column;
      Value mask = getMask(numLanes);
      Value stored = choice.load(b, loc, input, position, mask);
      Value lanes = choice.begin(b, loc, choice.prepare(b, loc, stored));
      storeLanes(b, loc, lanes, copies,
                 ValueRange{place, at.add(column, margin)}, mask);
    });
  });
}

void SeparableScatter::reduceRow(Value row) {
  const ResolvedDim &column = shape.column;
  int64_t numWritten = shape.getNumWritten();
  Value place = getPlace(row);
  auto [isInside, inside] = getInside(row);
  auto branch = scf::IfOp::create(b, loc, isInside, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  // Windows that begin in the padding, which stands for their first element
  // inside: where all are as small as it.
  int64_t numBefore = shape.getNumBefore();
  for (int64_t first = 0; first < numBefore; first += length) {
    SmallVector<int32_t> firstTaps;
    for (int64_t lane = 0; lane < length; ++lane) {
      int64_t begin = column.padBegin - (first + lane) * column.stride;
      firstTaps.push_back(
          llvm::divideCeil(std::max<int64_t>(begin, 0), column.dilation));
    }
    reduceVector(row, at.constant(first), firstTaps);
  }
  if (numBefore < numWritten)
    createFor(at.constant(numBefore), at.constant(numWritten), length,
              [&](Value first) { reduceVector(row, first, {}); });
  b.setInsertionPointToStart(branch.elseBlock());
  int64_t margin = shape.getMargin();
  fillRow(values, place, margin, margin + numWritten, choice.getFill(b, loc));
}

Value SeparableScatter::loadTap(Value row, Value column, int64_t tap) {
  Value place = at.rem(row, kNumCopies);
  int64_t stride = shape.column.stride;
  Value first = at.add(at.mul(column, stride),
                       getCopyMargin() + tap * shape.column.dilation);
  SmallVector<Value> vectors;
  SmallVector<int64_t> lanes;
  for (int64_t v = 0; v < getNumTapVectors(); ++v)
    vectors.push_back(loadRow(copies, place, at.add(first, v * length)));
  for (int64_t lane = 0; lane < length; ++lane)
    lanes.push_back(lane * stride);
  return stride == 1 ? vectors[0] : gatherLanes(b, loc, vectors, lanes);
}

void SeparableScatter::reduceVector(Value row, Value column,
                                    ArrayRef<int32_t> firstTaps) {
  Accumulator acc;
  for (int64_t tap = 0; tap < shape.column.kernel; ++tap) {
    Accumulator next{loadTap(row, column, tap), getSplat(tap)};
    acc = acc.value ? choice.combine(b, loc, acc, next) : next;
  }
  if (llvm::any_of(firstTaps, [](int32_t tap) { return tap > 0; }))
    acc.index = arith::MaxSIOp::create(
        b, loc, acc.index,
        arith::ConstantOp::create(b, loc,
                                  DenseElementsAttr::get(codeType, firstTaps)));
  Value place = getPlace(row), there = at.add(column, shape.getMargin());
  storeRow(acc.value, values, place, there);
  storeRow(acc.index, taps, place, there);
  if (!addsToEachNewRow())
    storeRow(getZeros(), gradients, place, there);
}

//===----------------------------------------------------------------------===//
// And back
//===----------------------------------------------------------------------===//

SmallVector<Value> SeparableScatter::scatterRow(ValueRange outer, Value r,
                                                ValueRange suspects) {
  const ResolvedDim &dim = shape.row;
  Value first = at.mul(r, dim.stride);
  SmallVector<Value> places;
  for (int64_t tap = 0; tap < dim.kernel; ++tap)
    places.push_back(getPlace(at.add(first, tap * dim.dilation)));
  // Rows of padding stand for the first one inside.
  Value firstTap;
  if (dim.padBegin > 0)
    firstTap = getSplat(at.ceilDiv(
        at.max(at.sub(at.constant(dim.padBegin), first), 0), dim.dilation));
  SmallVector<Value> position = getRowIndices(outer, r);
  return forEachVector(
      shape.column.output, suspects,
      [&](Value column, int64_t numLanes, ValueRange suspects) {
        position.back() = column;
        return scatterVector(places, firstTap, position, numLanes, suspects);
      });
}

SmallVector<Value> SeparableScatter::scatterVector(ValueRange places,
                                                   Value firstTap,
                                                   ArrayRef<Value> position,
                                                   int64_t numLanes,
                                                   ValueRange suspects) {
  const ResolvedDim &dim = shape.row;
  Value there = at.add(position.back(), shape.getMargin());
  Accumulator acc;
  for (int64_t tap = 0; tap < dim.kernel; ++tap) {
    Accumulator next{loadRow(values, places[tap], there), getSplat(tap)};
    acc = acc.value ? choice.combine(b, loc, acc, next) : next;
  }
  if (firstTap)
    acc.index = arith::MaxSIOp::create(b, loc, acc.index, firstTap);
  Value mask = getMask(numLanes);
  Value element = extendElement(
      b, loc, loadLanes(b, loc, length, source, position, mask, /*fill=*/0),
      sumType.getElementType());
  for (int64_t tap = 0; tap < dim.kernel; ++tap) {
    bool isNew = addsToEachNewRow() &&
                 tap * dim.dilation > WindowShape::getReach(dim) - dim.stride;
    Value before = isNew ? getZeros() : loadRow(gradients, places[tap], there);
    Value isNamed = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                          acc.index, getSplat(tap));
    Value added = arith::AddFOp::create(b, loc, before, element);
    Value sum = arith::SelectOp::create(b, loc, isNamed, added, before);
    storeRow(sum, gradients, places[tap], there);
  }
  if (suspects.empty())
    return {};
  Value suspect = choice.getNeedsRecomputing(b, loc, acc.value);
  if (mask)
    suspect = arith::AndIOp::create(b, loc, suspect, mask);
  return {arith::OrIOp::create(b, loc, suspects[0], suspect)};
}

void SeparableScatter::gatherRow(ValueRange outer, Value row) {
  Value place = getPlace(row);
  storeTarget(outer, getInside(row).second, [&](Value firstStride) {
    return gatherStrip(place, firstStride);
  });
}

void SeparableScatter::storeTarget(
    ValueRange outer, Value row,
    function_ref<SmallVector<Value>(Value firstStride)> getSums) {
  forEachStrip([&](Value firstStride, int64_t numColumns) {
    storeStrip(outer, row, firstStride, numColumns, getSums(firstStride));
  });
}

SmallVector<Value> SeparableScatter::gatherStrip(Value place,
                                                 Value firstStride) {
  SmallVector<Value> sums(shape.column.stride, getZeros());
  for (auto [sum, covering] : llvm::zip_equal(sums, shape.classes))
    for (const WindowShape::Tap &tap : covering) {
      Value there = at.add(firstStride, shape.getMargin() + tap.shift);
      Value isNamed =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq,
                                loadRow(taps, place, there), getSplat(tap.tap));
      Value added =
          arith::AddFOp::create(b, loc, sum, loadRow(gradients, place, there));
      sum = arith::SelectOp::create(b, loc, isNamed, added, sum);
    }
  return sums;
}

Value SeparableScatter::chooseElement(ValueRange position) {
  // The last one or two of the coordinates are the window's.
  Value zero = at.constant(0);
  auto getStart = [&](const ResolvedDim &dim, Value o) {
    return at.sub(at.mul(o, dim.stride), dim.padBegin);
  };
  auto getFirst = [&](const ResolvedDim &dim, Value start) {
    Value tap = at.ceilDiv(at.max(at.sub(zero, start), 0), dim.dilation);
    return at.add(start, at.mul(tap, dim.dilation));
  };
  auto getEnd = [&](const ResolvedDim &dim, Value start) {
    return at.min(at.add(start, WindowShape::getReach(dim) + 1), dim.input);
  };
  Value rowStart =
      getStart(shape.row, hasRows() ? position[position.size() - 2] : zero);
  Value columnStart = getStart(shape.column, position.back());
  Value firstRow = getFirst(shape.row, rowStart);
  Value firstColumn = getFirst(shape.column, columnStart);
  auto getPosition = [&](Value row, Value column) {
    return at.add(at.mul(row, shape.column.input), column);
  };
  Type type = cast<MemRefType>(input.getType()).getElementType();
  Value none = arith::ConstantIntOp::create(b, loc, kNoPosition, 64);
  Value nothing = arith::ConstantOp::create(
      b, loc, getIdentity(b, type, preference.reduction));
  ValueRange outer = position.take_front(shape.numOuter);
  SmallVector<Value> chosen = createFor(
      firstRow, getEnd(shape.row, rowStart), shape.row.dilation,
      {nothing, none}, [&](Value row, ValueRange best) {
        return createFor(
            firstColumn, getEnd(shape.column, columnStart),
            shape.column.dilation, best,
            [&](Value column, ValueRange best) -> SmallVector<Value> {
              SmallVector<Value> place = getRowIndices(outer, row);
              place.back() = column;
              Value element = memref::LoadOp::create(b, loc, input, place);
              Value here = arith::IndexCastOp::create(b, loc, b.getI64Type(),
                                                      getPosition(row, column));
              Value isBetter =
                  isChosen(b, loc, preference, element, here, best[0], best[1]);
              return {
                  arith::SelectOp::create(b, loc, isBetter, element, best[0]),
                  arith::SelectOp::create(b, loc, isBetter, here, best[1])};
            });
      });
  Value isNothing =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, chosen[1], none);
  Value result = arith::SelectOp::create(
      b, loc, isNothing, getPosition(firstRow, firstColumn),
      arith::IndexCastOp::create(b, loc, b.getIndexType(), chosen[1]));
  Value planeBegin = getPlaneBegin(outer);
  return planeBegin ? at.add(planeBegin, result) : result;
}
