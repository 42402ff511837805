// Plans the lowering of a pooling operation to TOSA.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOTOSA_TOSAPLAN_H
#define POOL_LIB_CONVERSION_POOLTOTOSA_TOSAPLAN_H

#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// One spatial dimension. TOSA requires that windows cover the padded input
/// exactly, so elements that no window covers are sliced off before.
struct TosaDim {
  int64_t kernel;
  int64_t stride;
  /// Numbers of positions before and after the input that windows cover.
  int64_t padBegin;
  int64_t padEnd;
  /// Number of elements at the end of the input that no window covers.
  int64_t numUnread;
};

struct TosaPlan {
  WindowOpInterface op;
  Layout layout;
  /// `dims[0]` is the height, `dims[1]` the width.
  SmallVector<TosaDim, 2> dims;
  /// Value of the padding, a constant `tensor<1xT>`, if the input is padded
  /// before the pooling. The pooling itself then pads nothing. Null if the
  /// pooling pads.
  DenseElementsAttr padding;

  bool hasUnread() const {
    return llvm::any_of(dims,
                        [](const TosaDim &dim) { return dim.numUnread > 0; });
  }
};

/// Returns `value` as an attribute of type `tensor<1xT>` for the type T.
DenseElementsAttr getTosaScalar(Type type, int64_t value);

/// Plans `op`. If TOSA cannot express it, emits an error with the reason.
FailureOr<TosaPlan> planTosa(Operation *op);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOTOSA_TOSAPLAN_H
