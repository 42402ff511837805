// The plan of any pooling operation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_PLANPOOL_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_PLANPOOL_H

#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

/// The plan by which convert-pool-to-vector lowers `op`, an operation of the
/// dialect; see planOperation().
FailureOr<PlanAttr> planPool(StringRef pass, Operation *op,
                             const Target &target);

/// The plan by which pool-to-gpu makes kernels of `op`; see planOperation().
FailureOr<PlanAttr> planPoolForGPU(StringRef pass, Operation *op,
                                   const GPU &gpu);

/// Calls `use` with the window form of `op`, which tells extents and pads as
/// its lowering will. The form is built for that, and erased.
FailureOr<PlanAttr>
withWindowForm(WindowOpInterface op,
               function_ref<FailureOr<PlanAttr>(WindowReduceOp)> use);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_PLANPOOL_H
