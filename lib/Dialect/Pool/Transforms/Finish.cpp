// Builds finishes as elementwise linalg ops, and decides how vector code may
// count the positions of windows.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Dialect/Pool/Transforms/Finish.h"

#include "Finishes.h"
#include "TileElement.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/TypeUtilities.h"
#include "pool/Dialect/Pool/IR/ElementTypes.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "pool/Dialect/Pool/Utils/Elementwise.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pool;

Value ResultBuilder::power(Value base, double exponent) {
  return fold<math::PowFOp>(base, exponent);
}

Finish::Counts pool::getCounts(ArrayRef<SymbolicDim> dims) {
  // Prove that counts in 32 bits cannot overflow. They are used for at most 64
  // lanes. The first lane's distance from an end of the input is clamped to
  // 2^30 positions. With strides up to 2^23, the distances of the other lanes
  // differ from it by at most 2^29. So a clamped distance is at least 2^29 in
  // every lane. A kernel of at most 2^29 / dilation taps covers no more than
  // that, so the minimum with the kernel is right in all lanes.
  uint64_t product = 1;
  for (const SymbolicDim &dim : dims) {
    product = llvm::SaturatingMultiply<uint64_t>(product, dim.kernel);
    if (!llvm::isUInt<31>(product) || dim.stride > (1 << 23) ||
        dim.dilation > (1 << 29) / dim.kernel)
      return Finish::Counts::Wide;
  }
  return Finish::Counts::Narrow;
}

Value TileElement::getCoordinate(unsigned d) {
  Value index = linalg::IndexOp::create(*this, d);
  if (offsets.empty() || isConstantIntValue(offsets[d], 0))
    return index;
  return affine::makeComposedAffineApply(*this, getLoc(), symbol(0) + symbol(1),
                                         {index, offsets[d]});
}

Value pool::applyFinish(OpBuilder &b, Location loc, const Finish &finish,
                        Value reduced, ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes,
                        SmallVectorImpl<Operation *> &ops) {
  Type type = finish.elementType;
  if (!finish.build && getElementTypeOrSelf(reduced) == type)
    return reduced;
  auto generic =
      createElementwise(b, loc, reduced, sizes, type,
                        [&](OpBuilder &b, Location loc, ValueRange elements) {
                          Value element = castToSignless(b, loc, elements[0]);
                          TileElement builder(b, loc, offsets);
                          if (finish.build)
                            element = finish.build(builder, element);
                          return castFromSignless(b, loc, element, type);
                        });
  if (finish.counts != Finish::Counts::None)
    generic->setDiscardableAttr(
        PoolDialect::DividesByCountAttrHelper::getNameStr(), b.getUnitAttr());
  ops.push_back(generic);
  return generic.getResult(0);
}

static SmallVector<Finish> reportUnknown(Operation *op) {
  llvm::report_fatal_error(llvm::Twine(op->getName().getStringRef()) +
                           ": getFinishes() does not know its last step");
}

SmallVector<Finish> pool::getFinishes(WindowOpInterface op,
                                      const WindowExtents &extents) {
  return llvm::TypeSwitch<Operation *, SmallVector<Finish>>(op)
      .Case<ExtremumOpInterface, AvgPoolOp, LpPoolOp>(
          [&](auto typed) { return createFinishes(typed, extents); })
      .Default(reportUnknown);
}

SmallVector<Finish> pool::getFinishes(AdaptiveOpInterface op,
                                      const AdaptiveExtents &extents) {
  return llvm::TypeSwitch<Operation *, SmallVector<Finish>>(op)
      .Case<AdaptiveAvgPoolOp, AdaptiveMaxPoolOp>(
          [&](auto typed) { return createFinishes(typed, extents); })
      .Default(reportUnknown);
}
