// What the loops over planes load: rows moved into the input where padding is
// replaced, tested where it is not, and columns by masks at the ends of a row.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PlaneLoops.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::pool;

Value PlaneLoops::clamp(const PlaneDim &dim, Value position) {
  if (!dim.coversPadding)
    return position;
  if (dim.dilation == 1)
    return at.min(at.max(position, 0), at.sub(dim.input, 1));
  // By whole dilations: the nearest positions of the window that are inside.
  Value before = at.max(at.sub(index(0), position), 0);
  Value after = at.max(at.sub(position, at.sub(dim.input, 1)), 0);
  position =
      at.add(position, at.mul(at.ceilDiv(before, dim.dilation), dim.dilation));
  return at.sub(position,
                at.mul(at.ceilDiv(after, dim.dilation), dim.dilation));
}

Value PlaneLoops::isInside(const PlaneDim &dim, Value position) {
  return at.both(at.isAtLeast(position, index(0)),
                 at.isAtLeast(at.sub(dim.input, 1), position));
}

const PlaneLoops::InputRow &PlaneLoops::getInputRow(int64_t outerTap,
                                                    int64_t row) {
  auto [it, isNew] = inputRows.try_emplace({outerTap, row});
  InputRow &result = it->second;
  if (!isNew)
    return result;
  result.indices = {coordinates[0], coordinates[1]};
  auto add = [&](const PlaneDim &dim, Value start, int64_t offset) {
    Value position = at.add(start, offset);
    if (dim.coversPadding && !isInteriorGroup) {
      if (!mayClamp) {
        Value inside = isInside(dim, position);
        result.isInside =
            result.isInside ? at.both(result.isInside, inside) : inside;
        // What is read does not matter where it is not inside, but that it is
        // there.
        position = at.min(at.max(position, 0), at.sub(dim.input, 1));
      } else {
        position = clamp(dim, position);
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
  SmallVector<Value> at(indices);
  VectorType type = reduction.getStoredType();
  auto create = [&](Value first) -> Value {
    at.push_back(first);
    return vector::LoadOp::create(b, loc, type, kernel.input, at);
  };
  auto getFill = [&]() -> Value {
    TypedAttr fill = reduction.getStoredFill(b);
    auto signless = type.clone(fill.getType());
    Value value = arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(signless, fill));
    if (signless == type)
      return value;
    return UnrealizedConversionCastOp::create(b, loc, type, value).getResult(0);
  };
  auto createMasked = [&](Value first, Value mask) -> Value {
    at.push_back(first);
    return vector::MaskedLoadOp::create(b, loc, type, kernel.input, at, mask,
                                        getFill());
  };
  if (!isWholeRow) {
    Value first = this->at.add(strip.firstInput, column);
    if (strip.isInterior)
      return create(first);
    return createMasked(first, getMask(this->at.sub(index(0), first),
                                       this->at.sub(columns.input, first)));
  }
  column += firstColumn;
  int64_t begin = std::max<int64_t>(-column, 0);
  int64_t end = std::min(*columns.knownInput - column, length);
  if (begin >= end)
    return {};
  if (begin == 0 && end == length)
    return create(index(column));
  return createMasked(index(column), getConstantMask(begin, end));
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
