// Loops whose iterations may run at the same time.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_PARALLELLOOPS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_PARALLELLOOPS_H

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

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_EMIT_PARALLELLOOPS_H
