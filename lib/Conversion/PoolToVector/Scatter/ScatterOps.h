// Lowers unpooling and the gradients of extrema, which write to positions that
// an index or a window names, to vector loops.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_SCATTEROPS_H
#define POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_SCATTEROPS_H

#include "mlir/IR/PatternMatch.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Target/Target.h"

namespace mlir::pool {

/// Replaces max_unpool, or the gradient of an extremum, by loops over vectors
/// and elements of buffers, unless it has no plan. A gradient without indices
/// recomputes them, unless its plan chooses for itself. Fails where its own
/// plan does not fit.
LogicalResult lowerScatter(StringRef pass, RewriterBase &rewriter,
                           Operation *op, const Target &target);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOVECTOR_SCATTER_SCATTEROPS_H
