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
  /// Type of the result of the pooling.
  RankedTensorType pooledType;
  /// Type of the indices of the chosen elements within their plane; null for a
  /// pooling without indices.
  Type indexElementType;
  /// True if the initial value may differ from the identity, so that it must be
  /// combined with the result.
  bool keepsInit = false;
  /// Reason why the tensor.pad of the input stays; empty if none stays.
  std::string keptPadding;
};

/// Plans `reduction`, which is not a sum. On failure `reason` says why.
FailureOr<ExtremumPlan> planExtremum(const WindowReduction &reduction,
                                     std::string &reason,
                                     Type indexElementType = {});

/// The results of an extremum.
struct PooledExtremum {
  /// Replaces the result of the linalg operation.
  Value values;
  /// The indices in each of the types that the caller wants.
  SmallVector<Value> indices;
};
/// Creates the pooling of `plan`. `indexTypes` are the types of the tensors
/// that the indices replace, none for a pooling without indices.
PooledExtremum createExtremum(OpBuilder &b, const ExtremumPlan &plan,
                              TypeRange indexTypes = {});

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_LINALGTOPOOL_EXTREMUM_H
