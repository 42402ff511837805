// The passes of the pool-to-llvm pipeline that upstream does not have.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PIPELINES_PASSES_H
#define POOL_PIPELINES_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::pool {

#define GEN_PASS_DECL
#include "pool/Pipelines/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pool/Pipelines/Passes.h.inc"

/// Whether a result of buffer type `type` is passed as a trailing argument by
/// `pool-results-to-out-params`: a memref of static shape and identity layout.
bool isOutParamType(Type type);

} // namespace mlir::pool

#endif // POOL_PIPELINES_PASSES_H
