// Interprets a function: evaluates its operations in order, follows calls, and
// runs the blocks of loops and branches.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pool/Reference/Interpreter.h"

#include "Evaluators.h"
#include "ScalarOps.h"
#include "Windows.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::pool;
using namespace mlir::pool::reference;
using llvm::formatv;

/// Largest depth of nested calls. A recursion without end then becomes an
/// error.
static constexpr unsigned kMaxCallDepth = 256;

static Results interpret(func::FuncOp func, ArrayRef<Tensor> args,
                         unsigned depth);

static Results evaluate(arith::ConstantOp op) {
  OpErrors emitError{op};
  TypedAttr value = op.getValue();
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements && !isa<IntegerAttr, FloatAttr>(value))
    return emitError("is not dense, which the reference interpreter requires");

  SmallVector<int64_t> shape;
  if (elements)
    shape.assign(elements.getType().getShape().begin(),
                 elements.getType().getShape().end());
  Type elementType = getElementTypeOrSelf(value.getType());
  Results tensor = allocateResults(op, shape);
  if (failed(tensor))
    return failure();

  ElementFormat format = *ElementFormat::get(elementType);
  int64_t position = 0;
  auto append = [&](const APInt &bits) {
    format.storeBits(tensor->front(), position++, bits.getZExtValue());
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
  return tensor;
}

/// Evaluates a scalar operation, or one on tensors element by element.
static Results evaluateElements(Operation *op, Operands operands) {
  OpErrors emitError{op};
  const Tensor *shaped = nullptr;
  for (auto [type, tensor] : llvm::zip_equal(op->getOperandTypes(), operands)) {
    if (!isa<TensorType>(type))
      continue;
    if (shaped && shaped->shape != tensor->shape)
      return emitError("has operands of different extents");
    shaped = tensor;
  }
  Results result = allocateResults(op, shaped ? ArrayRef<int64_t>(shaped->shape)
                                              : ArrayRef<int64_t>());
  if (failed(result))
    return failure();
  for (int64_t i = 0, e = result->front().getNumElements(); i < e; ++i) {
    SmallVector<Scalar> elements;
    for (auto [type, tensor] : llvm::zip_equal(op->getOperandTypes(), operands))
      elements.push_back(Scalar::load(*tensor, isa<TensorType>(type) ? i : 0));
    FailureOr<Scalar> element = evaluateScalar(op, elements);
    if (failed(element))
      return failure();
    element->store(result->front(), i);
  }
  return result;
}

/// Evaluates affine.apply, affine.min or affine.max. `map` is its affine map.
static Results evaluateMap(Operation *op, AffineMap map, Operands operands) {
  Type index = IndexType::get(op->getContext());
  SmallVector<Attribute> constants, folded;
  for (const Tensor *operand : operands)
    constants.push_back(IntegerAttr::get(
        index, static_cast<int64_t>(Scalar::load(*operand, 0).integer)));
  if (failed(map.constantFold(constants, folded)))
    return op->emitOpError("divides by zero or a negative number");
  SmallVector<int64_t> values;
  for (Attribute value : folded)
    values.push_back(cast<IntegerAttr>(value).getInt());
  // affine.apply has only one value, which is also the minimum.
  return makeIndex(op, isa<affine::AffineMaxOp>(op)
                           ? *llvm::max_element(values)
                           : *llvm::min_element(values));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

namespace {

/// A call of a function: holds the values of the function and runs its blocks.
class Activation {
public:
  explicit Activation(unsigned depth) : depth(depth) {}

  /// Runs `block` with `args` as the values of its arguments. Returns the
  /// values of its terminator's operands. If a block runs again, as in a loop,
  /// its new values replace those of the run before.
  Results run(Block &block, ArrayRef<Tensor> args);

private:
  /// Evaluates an operation that is not a terminator. `operands` points into
  /// `values`. A loop or a branch runs blocks, which adds values and so
  /// invalidates `operands`. Therefore the overloads below do not take
  /// operands, and look them up.
  Results evaluate(Operation *op, Operands operands);
  Results evaluate(func::CallOp op);
  Results evaluate(scf::IfOp op);
  Results evaluate(scf::ForOp op);
  Results evaluate(scf::WhileOp op);
  Results evaluate(scf::ForallOp op);

  const Tensor &lookup(Value value) const { return values.find(value)->second; }
  Wide getInteger(Value value) const {
    return Scalar::load(lookup(value), 0).integer;
  }
  SmallVector<Tensor> copy(ValueRange range) const {
    return llvm::map_to_vector(
        range, [&](Value value) -> Tensor { return lookup(value); });
  }

  DenseMap<Value, Tensor> values;
  unsigned depth;
};

} // namespace

Results Activation::run(Block &block, ArrayRef<Tensor> args) {
  for (auto [arg, tensor] : llvm::zip_equal(block.getArguments(), args))
    values.insert_or_assign(arg, tensor);
  for (Operation &op : block.without_terminator()) {
    Results results =
        evaluate(&op, llvm::map_to_vector(op.getOperands(), [&](Value value) {
          return &lookup(value);
        }));
    if (failed(results))
      return failure();
    for (auto [i, result] : llvm::enumerate(op.getResults())) {
      OpErrors emitError{&op};
      Tensor &tensor = (*results)[i];
      if (failed(checkType(emitError, "result " + Twine(i), tensor,
                           result.getType())))
        return failure();
      values.insert_or_assign(result, std::move(tensor));
    }
  }
  return copy(block.getTerminator()->getOperands());
}

Results Activation::evaluate(func::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!callee || callee.isDeclaration())
    return op.emitOpError(
        formatv("calls @{0}, which has no body", op.getCallee()));
  if (depth == kMaxCallDepth)
    return op.emitOpError(
        formatv("calls nest more than {0} deep, which recursion would do "
                "without end",
                kMaxCallDepth));
  return ::interpret(callee, copy(op.getOperands()), depth + 1);
}

Results Activation::evaluate(scf::IfOp op) {
  bool holds = getInteger(op.getCondition()) != 0;
  Region &region = holds ? op.getThenRegion() : op.getElseRegion();
  if (region.empty())
    return SmallVector<Tensor>();
  return run(region.front(), {});
}

Results Activation::evaluate(scf::ForOp op) {
  if (op.getUnsignedCmp())
    return op.emitOpError("compares as unsigned, which the reference "
                          "interpreter does not support");
  SmallVector<Tensor> carried = copy(op.getInitArgs());
  Wide step = getInteger(op.getStep()), upper = getInteger(op.getUpperBound());
  if (step <= 0)
    return op.emitOpError("has a step that is not positive");
  Tensor induction = lookup(op.getLowerBound());
  for (Wide i = getInteger(op.getLowerBound()); i < upper; i += step) {
    ElementFormat::get(induction.elementType)->store<Wide>(induction, 0, i);
    SmallVector<Tensor> args = {induction};
    llvm::append_range(args, carried);
    Results yielded = run(*op.getBody(), args);
    if (failed(yielded))
      return failure();
    carried = std::move(*yielded);
  }
  return carried;
}

Results Activation::evaluate(scf::WhileOp op) {
  SmallVector<Tensor> carried = copy(op.getInits());
  while (true) {
    Results before = run(*op.getBeforeBody(), carried);
    if (failed(before))
      return failure();
    SmallVector<Tensor> passed(llvm::drop_begin(*before));
    if (Scalar::load(before->front(), 0).integer == 0)
      return passed;
    Results after = run(*op.getAfterBody(), passed);
    if (failed(after))
      return failure();
    carried = std::move(*after);
  }
}

Results Activation::evaluate(scf::ForallOp op) {
  auto find = [&](Value value) -> const Tensor & { return lookup(value); };
  SmallVector<int64_t> lower = getIndices(op.getMixedLowerBound(), find);
  SmallVector<int64_t> upper = getIndices(op.getMixedUpperBound(), find);
  SmallVector<int64_t> step = getIndices(op.getMixedStep(), find);
  SmallVector<int64_t> trips;
  for (auto [from, to, by] : llvm::zip_equal(lower, upper, step)) {
    if (by <= 0)
      return op.emitOpError("has a step that is not positive");
    trips.push_back(
        std::max<int64_t>(0, llvm::divideCeilSigned(to - from, by)));
  }
  // Each iteration reads the outputs as they were before the first iteration.
  const SmallVector<Tensor> initial = copy(op.getOutputs());
  SmallVector<Tensor> outputs = initial;
  auto runOnce = [&](ArrayRef<int64_t> iteration) -> LogicalResult {
    SmallVector<Tensor> args;
    for (auto [i, from, by] : llvm::zip_equal(iteration, lower, step)) {
      Results index = makeIndex(op, from + i * by);
      if (failed(index))
        return failure();
      args.push_back(std::move(index->front()));
    }
    llvm::append_range(args, initial);
    if (failed(run(*op.getBody(), args)))
      return failure();
    for (Operation &insert : op.getTerminator().getYieldingOps()) {
      auto slice = cast<tensor::ParallelInsertSliceOp>(insert);
      unsigned output =
          cast<BlockArgument>(slice.getDest()).getArgNumber() - op.getRank();
      if (failed(insertSlice(slice, lookup(slice.getSource()), outputs[output],
                             find)))
        return failure();
    }
    return success();
  };
  if (failed(visitIndices(trips, runOnce)))
    return failure();
  return outputs;
}

Results Activation::evaluate(Operation *op, Operands operands) {
  auto find = [&](Value value) -> const Tensor & { return lookup(value); };
  return TypeSwitch<Operation *, Results>(op)
      .Case<WindowOpInterface, AdaptiveOpInterface>(
          [&](auto pool) { return reference::evaluate(pool, *operands[0]); })
      .Case<WindowReduceOp, linalg::LinalgOp>(
          [&](auto op) { return reference::evaluate(op, operands, find); })
      .Case<MaxUnpoolOp, ExtremumGradOpInterface, AvgPoolGradOp,
            LargestIndexOp>(
          [&](auto op) { return reference::evaluate(op, operands); })
      .Case([&](arith::ConstantOp constant) { return ::evaluate(constant); })
      .Case([&](quant::StorageCastOp cast) -> Results {
        // The element type changes, but the bits stay.
        Tensor tensor = *operands[0];
        tensor.elementType = getElementTypeOrSelf(cast.getType());
        return SmallVector<Tensor>{std::move(tensor)};
      })
      .Case([&](func::CallOp call) { return evaluate(call); })
      .Case<scf::IfOp, scf::ForOp, scf::WhileOp, scf::ForallOp>(
          [&](auto control) { return evaluate(control); })
      .Case<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
          [&](auto op) { return evaluateMap(op, op.getAffineMap(), operands); })
      .Case([&](cf::AssertOp assertion) -> Results {
        if (Scalar::load(*operands[0], 0).integer == 0)
          return assertion.emitError(assertion.getMsg());
        return SmallVector<Tensor>();
      })
      .Default([&](Operation *op) -> Results {
        if (auto results = evaluateTensorOp(op, operands, find))
          return *results;
        if (isScalarOp(op))
          return evaluateElements(op, operands);
        return op->emitOpError("is not supported by the reference interpreter");
      });
}

/// Checks the arguments of a call of `func`, or of the function that is
/// interpreted.
static LogicalResult checkArguments(func::FuncOp func, ArrayRef<Tensor> args) {
  auto emitError = [&](const Twine &message) -> LogicalResult {
    return func.emitError(
        formatv("@{0}: {1}", func.getSymName(), message.str()));
  };
  if (func.isDeclaration())
    return emitError("has no body");
  if (args.size() != func.getNumArguments())
    return emitError(formatv("{0} arguments are given, the function takes {1}",
                             args.size(), func.getNumArguments()));
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
  if (!isa<func::ReturnOp>(body.getTerminator()))
    return body.getTerminator()->emitOpError(
        "is not supported by the reference interpreter");
  return Activation(depth).run(body, args);
}

Results pool::interpret(func::FuncOp func, ArrayRef<Tensor> args) {
  return ::interpret(func, args, /*depth=*/0);
}
