// Recognizes linalg operations that find the positions of window extrema, as
// torch-mlir emits for max_pool2d_with_indices.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_LINALGTOPOOL_INDICES_H
#define POOL_LIB_CONVERSION_LINALGTOPOOL_INDICES_H

#include "Extremum.h"

namespace mlir::pool {

/// Recognizes `op` as the search for the positions of a window extremum, and
/// plans the pooling that returns the extremum and the positions. `op` compares
/// each element of a window with the extremum, and returns the position of the
/// first equal element within its plane. On failure, `reason` says why the
/// search is not supported, or is empty if `op` is no such search.
///
/// The positions of the pooling differ from those of `op` in two cases. If the
/// extremum is NaN, `op` finds no equal element. If the padding equals the
/// extremum, `op` may find the padding. The pooling returns the position that
/// PyTorch returns.
FailureOr<ExtremumPlan> planIndices(linalg::GenericOp op, std::string &reason);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_LINALGTOPOOL_INDICES_H
