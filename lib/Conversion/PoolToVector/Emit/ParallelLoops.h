// Loops whose iterations may run at the same time.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_PARALLELLOOPS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_PARALLELLOOPS_H

#include "Emit/IndexArithmetic.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::pool {

/// Parallel loops over [0, upper), one by one.
inline scf::ParallelOp createParallelLoops(OpBuilder &b, Location loc,
                                           ValueRange upper) {
  SmallVector<Value> lower(upper.size(),
                           arith::ConstantIndexOp::create(b, loc, 0));
  SmallVector<Value> steps(upper.size(),
                           arith::ConstantIndexOp::create(b, loc, 1));
  return scf::ParallelOp::create(b, loc, lower, upper, steps);
}

/// `emit` for every place in [0, upper), in parallel but for the last
/// dimension, of which `numTogether` are one after the other, behind what
/// `begin` builds: a buffer, say, whose allocation takes as long as one of
/// them.
inline void forEachTogether(OpBuilder &b, Location loc,
                            SmallVector<Value> upper, int64_t numTogether,
                            function_ref<void()> begin,
                            function_ref<void(ValueRange place)> emit) {
  if (upper.empty()) {
    begin();
    return emit({});
  }
  IndexArithmetic at(b, loc);
  Value last = upper.back();
  upper.back() = at.ceilDiv(last, numTogether);
  auto loops = createParallelLoops(b, loc, upper);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loops.getBody());
  begin();
  SmallVector<Value> place(loops.getInductionVars());
  if (numTogether == 1)
    return emit(place);
  Value first = at.mul(place.back(), numTogether);
  auto together = scf::ForOp::create(
      b, loc, first, at.min(at.add(first, numTogether), last), at.constant(1));
  b.setInsertionPointToStart(together.getBody());
  place.back() = together.getInductionVar();
  emit(place);
}

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_PARALLELLOOPS_H
