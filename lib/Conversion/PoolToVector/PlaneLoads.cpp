// What the loops over planes load: rows moved into the input where padding is
// replaced, tested where it is not, and columns by masks at the ends of a row.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlaneLoops.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::pool;

const PlaneLoops::InputRow &PlaneLoops::getInputRow(int64_t outerTap,
                                                    int64_t row) {
  auto [it, isNew] = inputRows.try_emplace({outerTap, row});
  InputRow &result = it->second;
  if (!isNew)
    return result;
  result.indices = {coordinates[0], coordinates[1]};
  auto add = [&](const LoopDim &dim, Value start, int64_t offset) {
    Value position = at.add(start, offset);
    if (dim.coversPadding && !isInteriorGroup) {
      if (!mayClamp) {
        Value inside = dim.contains(at, position, 1);
        result.isInside =
            result.isInside ? at.both(result.isInside, inside) : inside;
        // What is read does not matter where it is not inside, but that it is
        // there.
        position = dim.clampToInput(at, position);
      } else {
        position = dim.clampToWindow(at, position);
      }
    }
    result.indices.push_back(position);
  };
  SmallVector<int64_t> taps(outer.size());
  for (unsigned i = outer.size(); i-- > 0; outerTap /= outer[i].kernel)
    taps[i] = outerTap % outer[i].kernel;
  for (auto [dim, start, tap] : llvm::zip_equal(outer, outerStarts, taps))
    add(dim, start, tap * dim.dilation);
  if (hasRows)
    add(rows, rowStart, row);
  return result;
}

Value PlaneLoops::getConstantMask(int64_t begin, int64_t end) {
  SmallVector<bool> bits(length);
  for (int64_t lane = 0; lane < length; ++lane)
    bits[lane] = begin <= lane && lane < end;
  return arith::ConstantOp::create(
      b, loc,
      DenseElementsAttr::get(VectorType::get(length, b.getI1Type()),
                             ArrayRef<bool>(bits)));
}

Value PlaneLoops::getMask(Value begin, Value end) {
  auto type = VectorType::get(length, b.getI1Type());
  auto create = [&](Value bound) -> Value {
    // Bounds are compared as 32-bit integers.
    bound = at.max(at.min(bound, length), 0);
    return vector::CreateMaskOp::create(b, loc, type, bound);
  };
  Value mask = create(end);
  if (!begin)
    return mask;
  Value all =
      arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, true));
  Value from = arith::XOrIOp::create(b, loc, create(begin), all);
  return arith::AndIOp::create(b, loc, mask, from);
}

Value PlaneLoops::loadVector(const Strip &strip, ArrayRef<Value> indices,
                             int64_t column) {
  auto create = [&](Value first, Value mask) {
    SmallVector<Value> all(indices);
    all.push_back(first);
    return kernel.load(kernel.input, all, mask);
  };
  if (!isWholeRow) {
    Value first = at.add(strip.firstInput, column);
    return create(first, strip.isInterior
                             ? Value()
                             : getMask(at.sub(index(0), first),
                                       at.sub(columns.input, first)));
  }
  column += firstColumn;
  int64_t begin = std::max<int64_t>(-column, 0);
  int64_t end = std::min(*columns.knownInput - column, length);
  if (begin >= end)
    return {};
  bool isFull = begin == 0 && end == length;
  return create(index(column), isFull ? Value() : getConstantMask(begin, end));
}

Value PlaneLoops::load(const Strip &strip, int64_t outerTap, int64_t row,
                       int64_t column) {
  const InputRow &inputRow = getInputRow(outerTap, row);
  Value stored = loadVector(strip, inputRow.indices, column);
  if (!stored)
    return {};
  Value prepared = reduction.prepare(b, loc, stored);
  if (!inputRow.isInside)
    return prepared;
  return arith::SelectOp::create(b, loc, inputRow.isInside, prepared,
                                 reduction.getFill(b, loc));
}

/// How far ahead of what is read memory is fetched, and the most instructions
/// that are worth it.
static constexpr int64_t kPrefetchBytes = 6144;
static constexpr int64_t kMaxPrefetches = 64;
static constexpr int64_t kCacheLineBytes = 64;

void PlaneLoops::prefetch(const Strip &strip, int64_t numRows,
                          int64_t numColumns) {
  if (!fetchesAhead)
    return;
  // Planes follow each other in memory, and so do the rows of a group.
  auto type = cast<MemRefType>(kernel.input.getType());
  int64_t rowLength = type.getShape().back();
  int64_t elementBytes = type.getElementTypeBitWidth() / 8;
  int64_t lineLength = kCacheLineBytes / elementBytes;
  int64_t numRuns = numRows * rows.stride;
  int64_t runLength = numColumns * columns.stride;
  if (isWholeRow)
    runLength = std::exchange(numRuns, 1) * rowLength;
  if (numRuns * llvm::divideCeil(runLength, lineLength) > kMaxPrefetches)
    return;
  ReassociationIndices all =
      llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  Value flat = memref::CollapseShapeOp::create(
      b, loc, kernel.input, ArrayRef<ReassociationIndices>(all));
  SmallVector<Value> position = coordinates;
  position.push_back(at.mul(firstRow, rows.stride));
  position.push_back(
      strip.firstOutput ? at.mul(strip.firstOutput, columns.stride) : index(0));
  Value first = position[0];
  for (unsigned dim = 1; dim < position.size(); ++dim)
    first = at.add(at.mul(first, type.getDimSize(dim)), position[dim]);
  int64_t reach = (numRuns - 1) * rowLength + runLength;
  first = at.min(at.add(first, kPrefetchBytes / elementBytes),
                 std::max<int64_t>(type.getNumElements() - reach, 0));
  for (int64_t run = 0; run < numRuns; ++run)
    for (int64_t i = 0; i < runLength; i += lineLength)
      memref::PrefetchOp::create(
          b, loc, flat, at.add(first, run * rowLength + i), /*isWrite=*/false,
          /*localityHint=*/3, /*isDataCache=*/true);
}
