// Passes that only work around faults of MLIR and LLVM 22. The sources of
// lib/Upstream include this header. Other code includes
// pool/Pipelines/Passes.h, which declares these passes, too.
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
