// A pattern that lowers pool.window_reduce on buffers to loops.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_CONVERSION_POOLTOLOOPS_POOLTOLOOPS_H
#define POOL_CONVERSION_POOLTOLOOPS_POOLTOLOOPS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::pool {

/// Adds a pattern that lowers pool.window_reduce on buffers. The outer loop is
/// an scf.parallel over the outputs. In it, scf.for loops go over those taps of
/// a window that lie inside the input. Nothing is allocated.
void populatePoolToLoopsPatterns(RewritePatternSet &patterns);

} // namespace mlir::pool

#endif // POOL_CONVERSION_POOLTOLOOPS_POOLTOLOOPS_H
