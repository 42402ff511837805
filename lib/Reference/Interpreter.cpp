// Interprets a function: values by name, one operation after the other.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Reference/Interpreter.h"

#include "AdaptiveOps.h"
#include "Element.h"
#include "LinalgOps.h"
#include "ScalarOps.h"
#include "ScatterOps.h"
#include "WindowOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
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

/// Limit of nested calls: straight-line code that calls itself never ends.
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

static Results evaluate(tensor::ExtractOp op,
                        ArrayRef<const Tensor *> operands) {
  const Tensor &source = *operands[0];
  int64_t position = 0;
  for (auto [d, index] : llvm::enumerate(operands.drop_front())) {
    Wide place = Scalar::load(*index, 0).integer;
    if (place < 0 || place >= source.shape[d])
      return op.emitOpError(
          formatv("position {0} of dimension {1}, which has extent {2}",
                  static_cast<int64_t>(place), d, source.shape[d])
              .str());
    position = position * source.shape[d] + static_cast<int64_t>(place);
  }
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return op.emitOpError(message);
  };
  FailureOr<Tensor> element = allocate(emitError, source.elementType, {});
  if (failed(element))
    return failure();
  Scalar::load(source, position).store(*element, 0);
  return SmallVector<Tensor>{std::move(*element)};
}

/// tensor.empty holds zeros: any elements are right, and these are
/// reproducible.
static Results evaluate(tensor::EmptyOp op, ArrayRef<const Tensor *> sizes) {
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return op.emitOpError(message);
  };
  SmallVector<int64_t> shape(op.getType().getShape());
  for (int64_t &extent : shape) {
    if (!ShapedType::isDynamic(extent))
      continue;
    extent = static_cast<int64_t>(Scalar::load(*sizes.front(), 0).integer);
    sizes = sizes.drop_front();
    if (extent < 0)
      return emitError(formatv("an extent is {0}", extent).str());
  }
  FailureOr<Tensor> tensor =
      allocate(emitError, op.getType().getElementType(), shape);
  if (failed(tensor))
    return failure();
  return SmallVector<Tensor>{std::move(*tensor)};
}

/// Reshapes without changing elements. Dynamic extents of the result follow
/// from the reassociation or from an operand.
static Results reshape(Operation *op, const Tensor &source,
                       ArrayRef<int64_t> shape) {
  Tensor tensor = source;
  tensor.shape.assign(shape.begin(), shape.end());
  if (tensor.getNumElements() != source.getNumElements())
    return op->emitOpError(formatv("the shape [{0:$[, ]}] holds other than the "
                                   "{1} elements there are",
                                   llvm::make_range(shape.begin(), shape.end()),
                                   source.getNumElements())
                               .str());
  return SmallVector<Tensor>{std::move(tensor)};
}

static Results evaluate(tensor::CollapseShapeOp op, const Tensor &source) {
  SmallVector<int64_t> shape;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    shape.push_back(1);
    for (int64_t d : group)
      shape.back() *= source.shape[d];
  }
  return reshape(op, source, shape);
}

static Results evaluate(tensor::ExpandShapeOp op,
                        ArrayRef<const Tensor *> operands) {
  SmallVector<int64_t> shape(op.getStaticOutputShape());
  ArrayRef<const Tensor *> extents = operands.drop_front();
  for (int64_t &extent : shape) {
    if (!ShapedType::isDynamic(extent))
      continue;
    extent = static_cast<int64_t>(Scalar::load(*extents.front(), 0).integer);
    extents = extents.drop_front();
  }
  return reshape(op, *operands[0], shape);
}

/// Evaluates a scalar operation, elementwise if it is on tensors.
static Results evaluateElements(Operation *op,
                                ArrayRef<const Tensor *> operands) {
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return op->emitOpError(message);
  };
  const Tensor *shaped = nullptr;
  for (auto [type, tensor] : llvm::zip_equal(op->getOperandTypes(), operands)) {
    if (!isa<TensorType>(type))
      continue;
    if (shaped && shaped->shape != tensor->shape)
      return emitError("has operands of different extents");
    shaped = tensor;
  }
  FailureOr<Tensor> result =
      allocate(emitError, getElementTypeOrSelf(op->getResult(0).getType()),
               shaped ? ArrayRef<int64_t>(shaped->shape) : ArrayRef<int64_t>());
  if (failed(result))
    return failure();
  for (int64_t i = 0, e = result->getNumElements(); i < e; ++i) {
    SmallVector<Scalar> elements;
    for (auto [type, tensor] : llvm::zip_equal(op->getOperandTypes(), operands))
      elements.push_back(Scalar::load(*tensor, isa<TensorType>(type) ? i : 0));
    FailureOr<Scalar> element = evaluateScalar(op, elements);
    if (failed(element))
      return failure();
    element->store(*result, i);
  }
  return SmallVector<Tensor>{std::move(*result)};
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
                        Lookup lookup, unsigned depth) {
  return TypeSwitch<Operation *, Results>(op)
      .Case<WindowOpInterface, AdaptiveOpInterface>(
          [&](auto pool) { return reference::evaluate(pool, *operands[0]); })
      .Case([&](arith::ConstantOp constant) { return ::evaluate(constant); })
      .Case([&](quant::StorageCastOp cast) -> Results {
        // The element type changes, the bits do not.
        Tensor tensor = *operands[0];
        tensor.elementType = getElementTypeOrSelf(cast.getType());
        return SmallVector<Tensor>{std::move(tensor)};
      })
      .Case([&](tensor::CastOp) -> Results {
        // The result's type is checked with all others below.
        return SmallVector<Tensor>{*operands[0]};
      })
      .Case([&](tensor::DimOp dim) {
        return ::evaluate(dim, *operands[0], *operands[1]);
      })
      .Case(
          [&](func::CallOp call) { return ::evaluate(call, operands, depth); })
      .Case([&](tensor::ExtractOp extract) {
        return ::evaluate(extract, operands);
      })
      .Case([&](tensor::EmptyOp empty) { return ::evaluate(empty, operands); })
      .Case([&](tensor::CollapseShapeOp collapse) {
        return ::evaluate(collapse, *operands[0]);
      })
      .Case([&](tensor::ExpandShapeOp expand) {
        return ::evaluate(expand, operands);
      })
      .Case<linalg::GenericOp, linalg::FillOp>([&](auto linalgOp) {
        return reference::evaluate(
            cast<linalg::LinalgOp>(linalgOp.getOperation()), operands, lookup);
      })
      .Case([&](cf::AssertOp assertion) -> Results {
        if (Scalar::load(*operands[0], 0).integer == 0)
          return assertion.emitError(assertion.getMsg());
        return SmallVector<Tensor>();
      })
      .Default([&](Operation *op) -> Results {
        if (isScatterOp(op))
          return evaluateScatterOp(op, operands);
        if (isScalarOp(op))
          return evaluateElements(op, operands);
        return op->emitOpError("is not supported by the reference interpreter");
      });
}

/// Checks the arguments of the entry function or of a call.
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
    // Pointers into the map stay valid: nothing is added while they are used.
    SmallVector<const Tensor *> operands;
    for (Value operand : op.getOperands())
      operands.push_back(&values.find(operand)->second);
    if (isa<func::ReturnOp>(op)) {
      SmallVector<Tensor> returned;
      for (const Tensor *operand : operands)
        returned.push_back(*operand);
      return returned;
    }
    auto lookup = [&](Value value) -> const Tensor & {
      return values.find(value)->second;
    };
    Results results = ::evaluate(&op, operands, lookup, depth);
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
