// Casts of tensors to declared types.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Utils/Casts.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

Value pool::castTo(OpBuilder &b, Location loc, Value value, Type declared) {
  if (value.getType() == declared)
    return value;
  return tensor::CastOp::create(b, loc, declared, value);
}

SmallVector<Value> pool::replaceOpWithCasts(RewriterBase &rewriter,
                                            Operation *op, ValueRange values) {
  SmallVector<Value> results;
  for (auto [value, declared] : llvm::zip_equal(values, op->getResultTypes()))
    results.push_back(castTo(rewriter, op->getLoc(), value, declared));
  rewriter.replaceOp(op, results);
  return results;
}
