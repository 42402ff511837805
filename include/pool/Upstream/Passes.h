// Passes that only work around faults of MLIR and LLVM 22. For the sources of
// lib/Upstream: pool/Pipelines/Passes.h declares them too, beside all other
// passes.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_UPSTREAM_PASSES_H
#define POOL_UPSTREAM_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::pool {

#define GEN_PASS_DECL
#include "pool/Upstream/Passes.h.inc"

} // namespace mlir::pool

#endif // POOL_UPSTREAM_PASSES_H
