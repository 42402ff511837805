// Whether TOSA computes what a pooling operation computes, and how.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_LIB_CONVERSION_POOLTOTOSA_TOSAPLAN_H
#define POOL_LIB_CONVERSION_POOLTOTOSA_TOSAPLAN_H

#include "pool/Dialect/Pool/IR/Pool.h"

namespace mlir::pool {

/// One spatial dimension. TOSA's windows cover the padded input exactly.
struct TosaDim {
  int64_t kernel;
  int64_t stride;
  /// What windows cover outside the input.
  int64_t padBegin;
  int64_t padEnd;
  /// What they leave uncovered at the end of the input.
  int64_t numUnread;
};

struct TosaPlan {
  WindowOpInterface op;
  Layout layout;
  /// Height and width.
  SmallVector<TosaDim, 2> dims;
  /// Padding is counted: a `tensor<1xT>` constant that the input is padded with
  /// before the pooling, which then pads nothing.
  TypedAttr padding;

  bool hasUnread() const {
    return llvm::any_of(dims,
                        [](const TosaDim &dim) { return dim.numUnread > 0; });
  }
};

/// Plans `op`, or emits an error that says why TOSA has no such pooling.
FailureOr<TosaPlan> planTosa(Operation *op);

} // namespace mlir::pool

#endif // POOL_LIB_CONVERSION_POOLTOTOSA_TOSAPLAN_H
