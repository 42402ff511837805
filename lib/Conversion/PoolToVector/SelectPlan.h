// What planning for GPUs and for vectors share: the window form of an
// operation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SELECTPLAN_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SELECTPLAN_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

/// The plan by which pool-to-gpu makes kernels of `op`, whose window form is
/// `reduce`; null if it has none. See planOperation().
FailureOr<PlanAttr> planForGPU(StringRef pass, Operation *op,
                               WindowReduceOp reduce, const GPU &gpu);

/// Calls `use` with the window form of `op`, which tells extents and pads as
/// its lowering will. The form is built for that, and erased.
FailureOr<PlanAttr>
withWindowForm(WindowOpInterface op,
               function_ref<FailureOr<PlanAttr>(WindowReduceOp)> use);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SELECTPLAN_H
