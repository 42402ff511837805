// What all kernels of pool.window_reduce are given.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WindowKernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "pool/Conversion/PoolToLoops/PoolToLoops.h"

using namespace mlir;
using namespace mlir::pool;

/// True if `value` is known to be at most `bound`.
static bool isAtMost(OpFoldResult value, int64_t bound) {
  auto isBounded = [&](const ValueBoundsConstraintSet::Variable &variable) {
    FailureOr<int64_t> upper = ValueBoundsConstraintSet::computeConstantBound(
        presburger::BoundType::UB, variable, /*stopCondition=*/nullptr,
        /*closedUB=*/true);
    return succeeded(upper) && *upper <= bound;
  };
  // Upstream has no upper bound of a maximum: each of its terms is bounded.
  auto dynamic = llvm::dyn_cast<Value>(value);
  auto max = dynamic ? dynamic.getDefiningOp<affine::AffineMaxOp>() : nullptr;
  if (!max)
    return isBounded(value);
  for (unsigned i = 0; i < max.getMap().getNumResults(); ++i)
    if (!isBounded({max.getMap().getSubMap({i}), max.getMapOperands()}))
      return false;
  return true;
}

Value pool::getBuffer(RewriterBase &rewriter, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  MemRefLayoutAttrInterface layout;
  // A slice is a view, not a copy.
  if (auto slice = tensor.getDefiningOp<tensor::ExtractSliceOp>();
      slice && type.getRank() > 0 &&
      isConstantIntValue(slice.getMixedStrides().back(), 1)) {
    SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
    strides.back() = 1;
    layout = StridedLayoutAttr::get(rewriter.getContext(), ShapedType::kDynamic,
                                    strides);
  }
  auto bufferType = MemRefType::get(type.getShape(), type.getElementType(),
                                    layout, /*memorySpace=*/Attribute());
  return bufferization::ToBufferOp::create(rewriter, loc, bufferType, tensor,
                                           /*read_only=*/true);
}

bool pool::hasNoEmptyWindow(const SymbolicDim &dim) {
  // The first window's last position is not before the input, the last
  // window's first not after it, and none reaches over it without touching it.
  int64_t reach = (dim.kernel - 1) * dim.dilation;
  return isAtMost(dim.padBegin, reach) && isAtMost(dim.coveredEnd, reach) &&
         (dim.dilation == 1 ||
          getConstantIntValue(dim.input).value_or(0) >= dim.dilation);
}

SmallVector<OpFoldResult> WindowKernel::getInputShape() {
  return memref::getMixedSizes(b, op.getLoc(), input);
}

SmallVector<OpFoldResult> WindowKernel::getOutputShape() {
  return memref::getMixedSizes(b, op.getLoc(), buffers[0]);
}

SmallVector<SymbolicDim> WindowKernel::getDims() {
  return getWindowDims(op, getInputShape());
}

bool WindowKernel::isPacked() const {
  // Upstream has no type for the collapsed dimensions where one extent is 0 and
  // another is not known.
  auto isPacked = [](Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    return type.getLayout().isIdentity() &&
           !llvm::is_contained(type.getShape(), 0);
  };
  return isPacked(input) && llvm::all_of(buffers, isPacked);
}

bool WindowKernel::hasContiguousLanes() const {
  auto isContiguous = [](Value buffer) {
    return cast<MemRefType>(buffer.getType()).isLastDimUnitStride();
  };
  return isContiguous(input) && llvm::all_of(buffers, isContiguous);
}
