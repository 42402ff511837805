// Replaces quantized tensors by the integers that they store, except in
// operations that need the scale.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Pipelines/Passes.h"

#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "pool/Dialect/Pool/IR/Pool.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::pool {
#define GEN_PASS_DEF_STRIPQUANTTYPES
#include "pool/Pipelines/Passes.h.inc"
} // namespace mlir::pool

using namespace mlir;
using namespace mlir::pool;

/// Returns `type` with stored integers in place of quantized elements. `type`
/// may be a scalar, a tensor, or a function type. Returns null if `type` has no
/// quantized elements.
static Type getStorage(Type type) {
  if (auto function = dyn_cast<FunctionType>(type)) {
    auto replace = [](Type type) {
      Type storage = getStorage(type);
      return storage ? storage : type;
    };
    auto result = FunctionType::get(
        type.getContext(), llvm::map_to_vector(function.getInputs(), replace),
        llvm::map_to_vector(function.getResults(), replace));
    return result == function ? Type() : Type(result);
  }
  if (auto quantized = dyn_cast<quant::QuantizedType>(type))
    return quantized.getStorageType();
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return Type();
  Type element = getStorage(tensor.getElementType());
  return element ? tensor.clone(element) : Type();
}

/// True if `op` can work on the stored integers. Assumes that registered
/// operations only move elements, except for unrealized casts and the
/// operations of pool and quant, which need the scale.
static bool isMove(Operation *op) {
  return !isa<UnrealizedConversionCastOp>(op) &&
         !isa_and_present<PoolDialect, quant::QuantDialect>(op->getDialect()) &&
         op->isRegistered();
}

namespace {
struct StripQuantTypes : pool::impl::StripQuantTypesBase<StripQuantTypes> {
  void runOnOperation() override;

private:
  void strip(Value value) {
    Type type = value.getType();
    if (Type storage = getStorage(type)) {
      stripped[value] = type;
      value.setType(storage);
    }
  }
  void rewriteOperands(Operation *op);

  /// The original quantized type of each value whose type was changed.
  DenseMap<Value, Type> stripped;
};
} // namespace

/// Inserts casts for operands whose type does not fit `op` any more.
void StripQuantTypes::rewriteOperands(Operation *op) {
  OpBuilder b(op);
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    Type wanted =
        isMove(op) ? getStorage(value.getType()) : stripped.lookup(value);
    if (!wanted)
      continue;
    auto cast = value.getDefiningOp<quant::StorageCastOp>();
    operand.set(
        cast && cast.getInput().getType() == wanted
            ? cast.getInput()
            : quant::StorageCastOp::create(b, op->getLoc(), wanted, value));
  }
}

void StripQuantTypes::runOnOperation() {
  stripped.clear();
  SmallVector<Operation *> ops;
  getOperation()->walk([&](Operation *op) {
    ops.push_back(op);
    if (!isMove(op))
      return;
    if (auto function = dyn_cast<FunctionOpInterface>(op))
      if (Type type = getStorage(function.getFunctionType()))
        function.setType(type);
    for (Value result : op->getResults())
      strip(result);
  });
  getOperation()->walk([&](Block *block) {
    if (isMove(block->getParentOp()))
      for (Value argument : block->getArguments())
        strip(argument);
  });
  for (Operation *op : ops)
    rewriteOperands(op);
  // Remove pairs of casts that convert to another type and back.
  for (Operation *op : ops) {
    auto cast = dyn_cast<quant::StorageCastOp>(op);
    if (!cast)
      continue;
    auto inner = cast.getInput().getDefiningOp<quant::StorageCastOp>();
    if (inner && inner.getInput().getType() == cast.getType())
      cast.replaceAllUsesWith(inner.getInput());
  }
  for (Operation *op : llvm::reverse(ops))
    if (isa<quant::StorageCastOp>(op) && op->use_empty())
      op->erase();
}
