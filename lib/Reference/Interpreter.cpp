// The walk over a function: values by name, one operation after the other.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Reference/Interpreter.h"

#include "AdaptiveOps.h"
#include "Element.h"
#include "ScatterOps.h"
#include "WindowOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::reference;
using llvm::formatv;

using Results = FailureOr<SmallVector<Tensor>>;

/// Calls nest no deeper. Straight-line code that reaches itself never ends.
static constexpr unsigned kMaxCallDepth = 256;

static Results interpret(func::FuncOp func, ArrayRef<Tensor> args,
                         unsigned depth);

static Results evaluate(arith::ConstantOp op) {
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return op.emitOpError(message);
  };
  TypedAttr value = op.getValue();
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements && !isa<IntegerAttr, FloatAttr>(value))
    return emitError("is not dense, which the reference interpreter requires");

  SmallVector<int64_t> shape;
  if (elements)
    shape.assign(elements.getType().getShape().begin(),
                 elements.getType().getShape().end());
  Type elementType = getElementTypeOrSelf(value.getType());
  FailureOr<Tensor> tensor = allocate(emitError, elementType, shape);
  if (failed(tensor))
    return failure();

  ElementFormat format = *ElementFormat::get(elementType);
  int64_t position = 0;
  auto append = [&](const APInt &bits) {
    format.storeBits(*tensor, position++, bits.getZExtValue());
  };
  if (auto scalar = dyn_cast<IntegerAttr>(value))
    append(scalar.getValue());
  else if (auto scalar = dyn_cast<FloatAttr>(value))
    append(scalar.getValue().bitcastToAPInt());
  else if (format.isFloat())
    for (const APFloat &element : elements.getValues<APFloat>())
      append(element.bitcastToAPInt());
  else
    for (const APInt &element : elements.getValues<APInt>())
      append(element);
  return SmallVector<Tensor>{std::move(*tensor)};
}

static Results evaluate(tensor::DimOp op, const Tensor &source,
                        const Tensor &index) {
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return op.emitOpError(message);
  };
  ElementFormat format = *ElementFormat::get(index.elementType);
  auto d = static_cast<int64_t>(format.load<Wide>(index, 0));
  auto rank = static_cast<int64_t>(source.shape.size());
  if (d < 0 || d >= rank)
    return emitError(
        formatv("dimension {0} of a tensor of rank {1}", d, rank).str());
  FailureOr<Tensor> extent = allocate(emitError, index.elementType, {});
  if (failed(extent))
    return failure();
  format.store<Wide>(*extent, 0, source.shape[d]);
  return SmallVector<Tensor>{std::move(*extent)};
}

static Results evaluate(func::CallOp op, ArrayRef<const Tensor *> operands,
                        unsigned depth) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!callee || callee.isDeclaration())
    return op.emitOpError(
        formatv("calls @{0}, which has no body", op.getCallee()).str());
  if (depth == kMaxCallDepth)
    return op.emitOpError(
        formatv("calls nest more than {0} deep, which recursion would do "
                "without end",
                kMaxCallDepth)
            .str());
  SmallVector<Tensor> args;
  for (const Tensor *operand : operands)
    args.push_back(*operand);
  return ::interpret(callee, args, depth + 1);
}

/// Evaluates any operation but the terminator.
static Results evaluate(Operation *op, ArrayRef<const Tensor *> operands,
                        unsigned depth) {
  return TypeSwitch<Operation *, Results>(op)
      .Case<MaxPoolOp, AvgPoolOp, LpPoolOp, AdaptiveAvgPoolOp,
            AdaptiveMaxPoolOp>(
          [&](auto pool) { return reference::evaluate(pool, *operands[0]); })
      .Case<MaxUnpoolOp, MaxPoolGradOp, AvgPoolGradOp>(
          [&](auto pool) { return reference::evaluate(pool, operands); })
      .Case([&](arith::ConstantOp constant) { return ::evaluate(constant); })
      .Case([&](quant::StorageCastOp cast) -> Results {
        // The same bits under another type.
        Tensor tensor = *operands[0];
        tensor.elementType = getElementTypeOrSelf(cast.getType());
        return SmallVector<Tensor>{std::move(tensor)};
      })
      .Case([&](tensor::CastOp) -> Results {
        // The type of the result is checked as that of any other.
        return SmallVector<Tensor>{*operands[0]};
      })
      .Case([&](tensor::DimOp dim) {
        return ::evaluate(dim, *operands[0], *operands[1]);
      })
      .Case(
          [&](func::CallOp call) { return ::evaluate(call, operands, depth); })
      .Default([](Operation *op) -> Results {
        return op->emitOpError("is not supported by the reference interpreter");
      });
}

/// Checks the arguments of the function, or what it is called with.
static LogicalResult checkArguments(func::FuncOp func, ArrayRef<Tensor> args) {
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return func.emitError(
        formatv("@{0}: {1}", func.getSymName(), message.str()).str());
  };
  if (func.isDeclaration())
    return emitError("has no body");
  if (args.size() != func.getNumArguments())
    return emitError(formatv("{0} arguments are given, the function takes {1}",
                             args.size(), func.getNumArguments())
                         .str());
  for (auto [i, arg] : llvm::enumerate(args))
    if (failed(checkType(emitError, "argument " + Twine(i), arg,
                         func.getArgumentTypes()[i])))
      return failure();
  return success();
}

static Results interpret(func::FuncOp func, ArrayRef<Tensor> args,
                         unsigned depth) {
  if (failed(checkArguments(func, args)))
    return failure();
  Block &body = func.getBody().front();
  DenseMap<Value, Tensor> values;
  for (auto [arg, tensor] : llvm::zip_equal(body.getArguments(), args))
    values.try_emplace(arg, tensor);

  for (Operation &op : body) {
    // Pointers into the map: nothing is added to it while they are used.
    SmallVector<const Tensor *> operands;
    for (Value operand : op.getOperands())
      operands.push_back(&values.find(operand)->second);
    if (isa<func::ReturnOp>(op)) {
      SmallVector<Tensor> returned;
      for (const Tensor *operand : operands)
        returned.push_back(*operand);
      return returned;
    }
    Results results = ::evaluate(&op, operands, depth);
    if (failed(results))
      return failure();
    for (auto [i, result] : llvm::enumerate(op.getResults())) {
      auto emitError = [&](const Twine &message) -> LogicalResult {
        return op.emitOpError(message);
      };
      Tensor &tensor = (*results)[i];
      if (failed(checkType(emitError, "result " + Twine(i), tensor,
                           result.getType())))
        return failure();
      values.try_emplace(result, std::move(tensor));
    }
  }
  return func.emitError(
      formatv("@{0}: does not return", func.getSymName()).str());
}

FailureOr<SmallVector<Tensor>> pool::interpret(func::FuncOp func,
                                               ArrayRef<Tensor> args) {
  return ::interpret(func, args, /*depth=*/0);
}
