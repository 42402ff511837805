// Raises a window extremum to one pooling operation.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_LINALGTOPOOL_EXTREMUM_H
#define POOL_LIB_CONVERSION_LINALGTOPOOL_EXTREMUM_H

#include "WindowFit.h"

namespace mlir::pool {

struct ExtremumPlan {
  WindowReduction extremum;
  FittedWindow fitted;
  ExtremumModes modes;
  /// Type of the pooling's values, before surplus outputs are sliced off.
  RankedTensorType pooledType;
  /// Type of the indices of the chosen elements within their plane; null for a
  /// pooling without indices.
  Type indexElementType;
  /// True if the initial value may differ from the identity, so that it must be
  /// combined with the result.
  bool keepsInit = false;
  /// Why the tensor.pad of the input stays in the IR. Empty if there is no
  /// tensor.pad, or if it becomes padding of the window.
  std::string keptPadding;
};

/// Plans the pooling that computes `reduction`, a maximum or minimum. If
/// `indexElementType` is not null, the pooling also returns indices of this
/// type. On failure, `reason` says why.
FailureOr<ExtremumPlan> planExtremum(const WindowReduction &reduction,
                                     std::string &reason,
                                     Type indexElementType = {});

/// Values that createExtremum() returns.
struct PooledExtremum {
  /// Replaces the result of the linalg operation.
  Value values;
  /// The indices, once for each type that createExtremum() was called with.
  SmallVector<Value> indices;
};
/// Creates the pooling of `plan` and, if `plan.keepsInit`, combines its result
/// with the initial value. Returns the indices cast to each of `indexTypes`,
/// which must be empty if the pooling has no indices.
PooledExtremum createExtremum(OpBuilder &b, const ExtremumPlan &plan,
                              TypeRange indexTypes = {});

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_LINALGTOPOOL_EXTREMUM_H
