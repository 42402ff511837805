// Rewrites elementwise arithmetic on tensors to linalg, so that it can be fused
// into a pooling and bufferizes like other elementwise operations.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "pool/Dialect/Pool/IR/Casts.h"

namespace mlir::pool {
#define GEN_PASS_DEF_ARITHMETICTOLINALG
#include "pool/Pipelines/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;

/// True if `op` computes tensors from tensors of the same shape, element by
/// element.
static bool isArithmetic(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) &&
         op->getNumOperands() != 0 &&
         llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

/// Creates the scalar that all elements of `tensor` are equal to. Returns null
/// if `tensor` is not a splat constant.
static Value getSplat(OpBuilder &b, Value tensor) {
  DenseElementsAttr elements;
  if (!matchPattern(tensor, m_Constant(&elements)) || !elements.isSplat())
    return nullptr;
  auto scalar = dyn_cast<TypedAttr>(elements.getSplatValue<Attribute>());
  return scalar && arith::ConstantOp::isBuildableWith(scalar, scalar.getType())
             ? arith::ConstantOp::create(b, tensor.getLoc(), scalar)
             : Value();
}

/// Returns the extents of `tensor`. If possible, they are computed from the
/// operands of its producer: a `tensor.dim` would be a second user of a
/// pooling, and then the pooling could not be fused.
static SmallVector<OpFoldResult> getSizes(OpBuilder &b, Value tensor) {
  auto result = dyn_cast<OpResult>(tensor);
  Operation *op = tensor.getDefiningOp();
  if (auto empty = dyn_cast_if_present<tensor::EmptyOp>(op))
    return empty.getMixedSizes();
  if (auto destination = dyn_cast_if_present<DestinationStyleOpInterface>(op))
    return getSizes(b, destination.getTiedOpOperand(result)->get());
  ReifiedRankedShapedTypeDims shapes;
  if (isa_and_present<ReifyRankedShapedTypeOpInterface>(op) &&
      succeeded(reifyResultShapes(b, op, shapes)))
    return shapes[result.getResultNumber()];
  return tensor::getMixedSizes(b, tensor.getLoc(), tensor);
}

static void convert(Operation *op) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  int64_t rank = cast<RankedTensorType>(op->getOperand(0).getType()).getRank();
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> maps;
  for (Value operand : op->getOperands()) {
    Value splat = getSplat(b, operand);
    inputs.push_back(splat ? splat : operand);
    maps.push_back(splat ? AffineMap::get(rank, 0, b.getContext()) : identity);
  }
  SmallVector<OpFoldResult> sizes = getSizes(b, op->getOperand(0));
  for (Type type : op->getResultTypes()) {
    Value empty =
        tensor::EmptyOp::create(b, loc, sizes, getElementTypeOrSelf(type));
    inits.push_back(empty);
    maps.push_back(identity);
  }
  auto generic = linalg::GenericOp::create(
      b, loc, ValueRange(inits).getTypes(), inputs, inits, maps,
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &b, Location loc, ValueRange arguments) {
        SmallVector<Type> types;
        for (Type type : op->getResultTypes())
          types.push_back(getElementTypeOrSelf(type));
        Operation *scalar = b.create(loc, op->getName().getIdentifier(),
                                     arguments.take_front(inputs.size()), types,
                                     op->getAttrs());
        linalg::YieldOp::create(b, loc, scalar->getResults());
      });
  // The result type may have a static extent where the operands have a dynamic
  // one.
  for (auto [old, result] :
       llvm::zip_equal(op->getResults(), generic.getResults()))
    old.replaceAllUsesWith(pool::castTo(b, loc, result, old.getType()));
  op->erase();
}

/// Replaces `op` by operations that include linalg.generic, because upstream
/// has no lowering of linalg.softmax to loops. Does nothing on buffers and
/// integers.
static void decompose(linalg::SoftmaxOp op) {
  if (!op.hasPureTensorSemantics() ||
      !isa<FloatType>(getElementTypeOrSelf(op.getInput())))
    return;
  OpBuilder b(op);
  FailureOr<SmallVector<Value>> results = op.decomposeOperation(b);
  if (failed(results))
    return;
  op->replaceAllUsesWith(*results);
  op->erase();
}

namespace {
struct ArithmeticToLinalg
    : pool::impl::ArithmeticToLinalgBase<ArithmeticToLinalg> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (isArithmetic(op))
        convert(op);
    });
    getOperation()->walk(decompose);
  }
};
} // namespace
