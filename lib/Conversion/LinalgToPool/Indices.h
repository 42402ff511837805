// Recognises linalg operations that find the positions of window extrema, as
// torch-mlir emits for max_pool2d_with_indices.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_LINALGTOPOOL_INDICES_H
#define POOL_LIB_CONVERSION_LINALGTOPOOL_INDICES_H

#include "Extremum.h"

namespace mlir::pool {

/// Recognises `op` as the search for the positions of a window extremum, and
/// plans the pooling that returns both. `op` compares each element of a window
/// with the extremum. It returns the position, within the plane, of the first
/// equal element. On failure, `reason` says why the search is not supported, or
/// is empty if `op` is no such search.
///
/// The results of `op` and of the pooling differ where `op` returns no position
/// of an element: for NaN, which equals nothing, and where padding equals the
/// extremum. There the pooling returns the position that PyTorch returns.
FailureOr<ExtremumPlan> planIndices(linalg::GenericOp op, std::string &reason);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_LINALGTOPOOL_INDICES_H
