// The passes of the pool-to-llvm pipeline that upstream does not have.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_PIPELINES_PASSES_H
#define POOL_PIPELINES_PASSES_H

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::pool {

#define GEN_PASS_DECL
#include "pool/Pipelines/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pool/Pipelines/Passes.h.inc"

/// `pool-lower-in-parts` with the passes that `addPasses` adds, which need not
/// be registered.
std::unique_ptr<Pass>
createLowerInParts(unsigned size,
                   llvm::function_ref<void(OpPassManager &)> addPasses);

/// True if `pool-results-to-out-params` passes a result of buffer type `type`
/// as a trailing argument: a memref of static shape and identity layout.
bool isOutParamType(Type type);

} // namespace mlir::pool

#endif // POOL_PIPELINES_PASSES_H
