// Declares the passes that convert from and to the pool dialect.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_PASSES_H
#define POOL_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"
#include "pool/Conversion/LinalgToPool/LinalgToPool.h"
#include "pool/Conversion/PoolToLinalg/PoolToLinalg.h"
#include "pool/Conversion/PoolToLoops/PoolToLoops.h"
#include "pool/Conversion/PoolToTosa/PoolToTosa.h"
#include "pool/Conversion/TosaToPool/TosaToPool.h"

namespace mlir::pool {

#define GEN_PASS_DECL
#include "pool/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "pool/Conversion/Passes.h.inc"

} // namespace mlir::pool

#endif // POOL_CONVERSION_PASSES_H
