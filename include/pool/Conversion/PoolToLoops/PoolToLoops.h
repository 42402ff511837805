// Patterns that lower pool.window_reduce on buffers to loops.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_POOLTOLOOPS_POOLTOLOOPS_H
#define POOL_CONVERSION_POOLTOLOOPS_POOLTOLOOPS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// pool.window_reduce on buffers to an scf.parallel over the outputs with
/// scf.for over what their windows have of the input. Nothing is allocated.
void populatePoolToLoopsPatterns(RewritePatternSet &patterns);

} // namespace mlir::pool

#endif // POOL_CONVERSION_POOLTOLOOPS_POOLTOLOOPS_H
