// A window maximum as one pool.max_pool.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_LINALGTOPOOL_MAXIMUM_H
#define POOL_LIB_CONVERSION_LINALGTOPOOL_MAXIMUM_H

#include "WindowFit.h"

namespace mlir::pool {

struct MaximumPlan {
  WindowReduction maximum;
  FittedWindow fitted;
  PadValue padValue = PadValue::NegInf;
  NanMode nanMode = NanMode::Ignore;
  /// The reduction starts from something that the windows do not contain.
  bool keepsInit = false;
  /// Why a tensor.pad stays, or empty.
  std::string keptPadding;

  Location getLoc() const { return linalg::LinalgOp(maximum.op).getLoc(); }
  /// True if signless elements are compared as unsigned.
  bool isUnsigned() const {
    return maximum.combine == Combine::UnsignedMaximum;
  }
};

/// Plans `reduction`, which is not a sum. On failure `reason` says why.
FailureOr<MaximumPlan> planMaximum(const WindowReduction &reduction,
                                   std::string &reason);

/// Builds what replaces the reduction of `plan`.
Value createMaximum(OpBuilder &b, const MaximumPlan &plan);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_LINALGTOPOOL_MAXIMUM_H
