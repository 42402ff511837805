// The window form of lp_pool: a sum of powers, then a root of it. For a window
// of the elements a, b and c:
//
//   output = (|a|^p + |b|^p + |c|^p)^(1/p)
//
// p = 1 needs no root, and p = 2 a square root.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Finishes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/IR/Pool.h"

using namespace mlir;
using namespace mlir::pool;

SmallVector<Finish> pool::createFinishes(LpPoolOp op, const WindowExtents &) {
  Type type = op.getInput().getType().getElementType();
  int64_t p = op.getP();
  if (p == 1 && getFloatAccumulator(type) == type)
    return {{type}};
  auto getRoot = [type, p](ResultBuilder &b, Value sum) {
    Value root = sum;
    if (p == 2)
      root = b.createOrFold<math::SqrtOp>(sum);
    else if (p != 1)
      root = b.power(sum, 1.0 / static_cast<double>(p));
    return b.convert<arith::TruncFOp>(type, root);
  };
  return {{type, Finish::Counts::None, getRoot}};
}
