// Builds loops and branches.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Emit/KernelBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::pool;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void KernelBuilder::forEach(Value begin, Value end, int64_t step,
                            const Carried &carried, LoopBody body) {
  std::optional<int64_t> first = getConstantIntValue(begin);
  std::optional<int64_t> last = getConstantIntValue(end);
  if (first && last && *first >= *last - step) {
    if (*first < *last)
      body(begin);
    return;
  }
  // The end may be known to be a step away.
  auto sum = end.getDefiningOp<arith::AddIOp>();
  if (sum && sum.getLhs() == begin && getConstantIntValue(sum.getRhs()) == step)
    return body(begin);
  auto loop = scf::ForOp::create(*this, begin, end, index(step), carried.get());
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

void KernelBuilder::ifTrue(Value condition, const Carried &carried,
                           function_ref<void()> body) {
  if (std::optional<int64_t> holds = getConstantIntValue(condition)) {
    if (*holds)
      body();
    return;
  }
  SmallVector<Value> before = carried.get();
  auto branch =
      scf::IfOp::create(*this, ValueRange(before).getTypes(), condition,
                        /*withElseRegion=*/!carried.empty());
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  body();
  if (carried.empty())
    return;
  scf::YieldOp::create(*this, carried.get());
  setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(*this, before);
  carried.set(branch.getResults());
}

void KernelBuilder::ifElse(Value condition,
                           function_ref<void(bool holds)> body) {
  if (!condition)
    return body(true);
  if (std::optional<int64_t> holds = getConstantIntValue(condition))
    return body(*holds);
  auto branch = scf::IfOp::create(*this, condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(*this);
  setInsertionPointToStart(branch.thenBlock());
  body(true);
  setInsertionPointToStart(branch.elseBlock());
  body(false);
}

Value KernelBuilder::select(Value condition, function_ref<Value()> then,
                            function_ref<Value()> otherwise) {
  auto yield = [&](function_ref<Value()> getValue) {
    return [this, getValue](OpBuilder &, Location) {
      scf::YieldOp::create(*this, getValue());
    };
  };
  return scf::IfOp::create(*this, condition, yield(then), yield(otherwise))
      .getResult(0);
}
