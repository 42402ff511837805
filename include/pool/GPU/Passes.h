// The passes of the pipeline pool-to-gpu that upstream does not have.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_GPU_PASSES_H
#define POOL_GPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::pool {

#define GEN_PASS_DECL
#include "pool/GPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pool/GPU/Passes.h.inc"

} // namespace mlir::pool

#endif // POOL_GPU_PASSES_H
