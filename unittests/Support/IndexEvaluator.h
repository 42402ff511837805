// Evaluates index arithmetic that the symbolic window rules build, so that
// tests can compare the numbers with the integer rules.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef POOL_UNITTESTS_SUPPORT_INDEXEVALUATOR_H
#define POOL_UNITTESTS_SUPPORT_INDEXEVALUATOR_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::pool::test {

class IndexEvaluator {
public:
  /// Sets the value of a block argument.
  void set(Value value, int64_t number) { numbers[value] = number; }

  /// Evaluates `ops` in order. Returns false at an unknown op, or if an
  /// intermediate value overflows int64.
  bool run(ArrayRef<Operation *> ops);

  int64_t get(OpFoldResult value) const;

private:
  bool evaluate(Operation *op, int64_t &result);
  /// Returns none if a part of `expr` overflows int64.
  std::optional<int64_t> evaluate(AffineExpr expr, unsigned numDims,
                                  ArrayRef<int64_t> operands);

  llvm::DenseMap<Value, int64_t> numbers;
};

} // namespace mlir::pool::test

#endif // POOL_UNITTESTS_SUPPORT_INDEXEVALUATOR_H
