// Builds operands, loops and branches.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/KernelBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pool;

Value KernelBuilder::splat(Type type, Operand operand) {
  Type element = getElementTypeOrSelf(type);
  Value value = operand.value;
  if (!value) {
    TypedAttr known = isa<FloatType>(element)
                          ? TypedAttr(getFloatAttr(element, operand.integer))
                          : getIntegerAttr(element, operand.integer);
    auto vector = dyn_cast<VectorType>(type);
    return constant(vector ? DenseElementsAttr::get(vector, known) : known);
  }
  bool hasLanes = isa<VectorType>(value.getType());
  value = castIndex(hasLanes ? type : element, value);
  return value.getType() == type ? value : broadcast(type, value);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void KernelBuilder::forEach(Operand begin, Operand end, int64_t step,
                            const Carried &carried, LoopBody body) {
  std::optional<int64_t> first = begin.getKnown(), last = end.getKnown();
  if (first && last && *first >= *last - step) {
    if (*first < *last)
      body(index(begin));
    return;
  }
  Value from = index(begin), to = index(end);
  // The end may be known to be a step away.
  auto sum = to.getDefiningOp<arith::AddIOp>();
  if (sum && sum.getLhs() == from && getConstantIntValue(sum.getRhs()) == step)
    return body(from);
  auto loop = scf::ForOp::create(*this, from, to, index(step), carried.get());
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(loop.getBody());
  carried.set(loop.getRegionIterArgs());
  body(loop.getInductionVar());
  // A loop without results has its terminator already.
  if (!carried.empty())
    scf::YieldOp::create(*this, carried.get());
  carried.set(loop.getResults());
}

void KernelBuilder::forEachIn(ArrayRef<PositionRange> ranges,
                              const Carried &carried, NestBody body,
                              ValueRange outer) {
  if (ranges.empty())
    return body(outer);
  auto [begin, end, step] = ranges.front();
  forEach(begin, end, step, carried, [&](Value here) {
    forEachIn(ranges.drop_front(), carried, body, append(outer, here));
  });
}

void KernelBuilder::forEachParallel(ValueRange upper, NestBody body) {
  if (upper.empty())
    return body({});
  SmallVector<Value> lower(upper.size(), index(0));
  SmallVector<Value> steps(upper.size(), index(1));
  auto loops = scf::ParallelOp::create(*this, lower, upper, steps);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(loops.getBody());
  body(loops.getInductionVars());
}

void KernelBuilder::forEachTogether(SmallVector<Value> upper,
                                    int64_t numTogether,
                                    function_ref<void()> begin, NestBody body) {
  Value last;
  if (!upper.empty()) {
    last = upper.back();
    upper.back() = ceilDiv(last, numTogether);
  }
  forEachParallel(upper, [&](ValueRange group) {
    begin();
    if (!last || numTogether == 1)
      return body(group);
    SmallVector<Value> position(group);
    Value first = mul(position.back(), numTogether);
    forEach(first, min(add(first, numTogether), last), 1, [&](Value here) {
      position.back() = here;
      body(position);
    });
  });
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

void KernelBuilder::ifElse(Value condition, const Carried &carried,
                           function_ref<void(bool holds)> body) {
  if (!condition)
    return body(true);
  if (std::optional<int64_t> holds = getConstantIntValue(condition))
    return body(*holds);
  SmallVector<Value> before = carried.get();
  auto branch =
      scf::IfOp::create(*this, ValueRange(before).getTypes(), condition,
                        /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(*this);
  for (bool holds : {true, false}) {
    setInsertionPointToStart(holds ? branch.thenBlock() : branch.elseBlock());
    carried.set(before);
    body(holds);
    // A branch without results has its terminators already.
    if (!carried.empty())
      scf::YieldOp::create(*this, carried.get());
  }
  carried.set(branch.getResults());
}
