// The window form of lp_pool: a sum of powers and an elementwise root.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/ElementTypes.h"

using namespace mlir;
using namespace mlir::pool;

ElementReduction LpPoolOp::getElementReduction() {
  Type type = getInput().getType().getElementType();
  ElementReduction reduction(Reduction::PowerSum, type,
                             getFloatAccumulator(type));
  reduction.p = getP();
  reduction.maxCount = getProduct(getKernel());
  return reduction;
}

SmallVector<Finish> LpPoolOp::getFinishes(const WindowExtents &) {
  Type type = getInput().getType().getElementType();
  int64_t p = getP();
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
